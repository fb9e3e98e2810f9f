#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_walkers.sh - runtimes that walk their own stacks by return addresses: their functions
# bear entry probes, exit probes are refused with the reason; their libraries bear both.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/walker

native "$prog"
for mode in -count -record; do
    for kind in both entry; do
        probed "probe $kind $mode -r *:." "$prog"
        same "a runtime that walks its stack, $kind $mode"
        ledger "a runtime that walks its stack, $kind $mode: ledger"
        n=$(planted)
        [ "${n:-0}" -gt 1000 ] && pass "libraries of such a runtime, $kind $mode" ||
            fail "libraries of such a runtime, $kind $mode: ${n:-0} planted" log
        [ $kind = both ] || counts "a runtime that walks its stack, $kind $mode: counts"
    done
done

printf 'start\nprobe compute\nprobe entry runtime.goexit\nprobe entry compute\n' >script.ezt
shell_feed "$prog"
grep -q 'Cannot probe compute: its runtime walks stacks by return addresses' log &&
    grep -q 'Cannot probe runtime.goexit: goroutines return to its second byte' log &&
    grep -q '^Probe [0-9]* at .*' log && pass "the reasons are told" || fail "the reasons are told" log

# Real programs with such runtimes.
cat >e.ml <<'END'
exception E of int
let rec fall n = if n = 0 then raise (E 42) else 1 + fall (n - 1)
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let () =
  let h = Hashtbl.create 10 in
  for i = 0 to 50000 do Hashtbl.replace h (i mod 997) (string_of_int i) done;
  Gc.full_major ();
  (try ignore (fall 10000) with E x -> Printf.printf "caught %d\n" x);
  Printf.printf "%d %d\n" (fib 20) (Hashtbl.fold (fun _ s a -> a + String.length s) h 0);
  exit 3
END
cat >g.go <<'END'
package main
import ("fmt"; "os"; "runtime"; "sync")
func grow(n int) int { var a [200]int; a[n%200] = n; if n == 0 { return a[0] }; return grow(n-1) + a[n%200]%3 }
func safe() (s string) { defer func() { s = fmt.Sprint(recover()) }(); panic("boom") }
func main() {
	var wg sync.WaitGroup
	sums := make([]int, 20)
	for i := range sums { wg.Add(1); go func(i int) { defer wg.Done(); sums[i] = grow(500 + i) }(i) }
	wg.Wait()
	runtime.GC()
	fmt.Println(sums, safe())
	os.Exit(4)
}
END
real() { # NAME
    native ./real
    for kind in both entry; do
        probed "probe $kind -count -r *:." ./real
        same "$1, $kind"
    done
}
if ocamlopt -o real e.ml >/dev/null 2>&1; then real "OCaml"; else skip "no ocamlopt"; fi
rm -f real
if GO111MODULE=off GOCACHE=$work/cache go build -o real g.go >/dev/null 2>&1; then real "Go"; else skip "no go"; fi
finish
