#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rust.sh - types, values and expressions of Rust: gdb's answers, without its pretty printers, for the same stop; what gdb
# does not answer is what the program says.
. "${top_srcdir:-.}/tests/procs/lib.sh"
find_rust
need rustc python3
rustc --version >rustc.out 2>&1 || { skip "rust: rustc does not run: $(head -1 rustc.out)"; exit 77; }
cat >demo.rs <<'END'
#![allow(dead_code, unused_variables)]
mod shapes {
    pub struct Point { pub x: i32, pub y: f64 }
    pub struct Pair<T, U>(pub T, pub U);
    pub struct Unit;
    pub struct Wrap<T> { pub inner: T, pub n: usize }
    pub enum Shape { Empty, Circle { r: f64 }, Rect(i32, u8), Named(String), Boxed(Box<Point>) }
    #[derive(Clone, Copy)]
    pub enum Color { Red, Green = 5, Blue }
    pub enum Single { Only(i32) }
    pub enum Nested { A(Option<u8>), B(Result<u32, Color>), C }
    pub mod deep { pub fn inside(k: u32) -> u32 { k + 1 } }
    impl Point { pub fn sum(&self, k: i32) -> f64 { self.x as f64 + self.y + k as f64 } }
    impl<T: Copy> Wrap<T> { pub fn get(&self) -> T { self.inner } }
    pub union U { pub a: u32, pub b: f32 }
}
use shapes::*;
static GREETING: &str = "hello";
static mut COUNT: u32 = 41;
static TABLE: [u16; 4] = [1, 2, 3, 4];
const LIMIT: i32 = 9;
#[inline(never)]
fn takes(a: i32, s: &str, v: &[i32], o: Option<i32>, r: Result<u32, String>, p: &Point, t: (i32, char)) -> i32 {
    let local = /* INSIDE */ a + v.len() as i32;
    local + s.len() as i32
}
#[inline(never)]
fn gives(n: i32) -> Option<i32> { if n > 0 { Some(n) } else { None } }
fn main() {
    let b = true; let c = 'x'; let c2 = 'é'; let byte = 200u8; let i8v = -3i8; let short = -300i16; let u16v = 60000u16;
    let int = -70000i32; let uint = 4000000000u32; let long = -5_000_000_000i64; let ulong = 18_000_000_000_000_000_000u64;
    let wide = -170141183460469231731687303715884105728i128; let uwide = 340282366920938463463374607431768211455u128;
    let us = 7usize; let is = -7isize; let f = 1.5f32; let d = -2.25f64;
    let unit = (); let tup = (1, 2.5, "three"); let nest = ((1u8, 2u8), [3i32, 4]);
    let p = Point { x: 3, y: 4.5 }; let pr = Pair(7i32, 'q'); let un = Unit; let w: Wrap<i32> = Wrap { inner: 8, n: 2 };
    let rp = &p; let mut m = 5; { let rm = &mut m; *rm += 1; }
    let s = "slice"; let string = String::from("owned"); let v = vec![10, 20, 30]; let sl = &v[1..]; let arr = [1u8, 2, 3];
    let o1: Option<i32> = Some(5); let o2: Option<i32> = None; let o3 = Some(&p); let o4: Option<&Point> = None;
    let ob: Option<Box<i32>> = Some(Box::new(9)); let ob2: Option<Box<i32>> = None; let os = Some(String::from("so")); let os2: Option<String> = None;
    let r1: Result<u32, String> = Ok(6); let r2: Result<u32, String> = Err(String::from("bad")); 
    let e1 = Shape::Empty; let e2 = Shape::Circle { r: 0.5 }; let e3 = Shape::Rect(1, 2); let e4 = Shape::Named(String::from("nm")); let e5 = Shape::Boxed(Box::new(Point { x: 1, y: 2.0 }));
    let col = Color::Green; let col2 = Color::Blue; let sing = Single::Only(3); let n1 = Nested::A(Some(4)); let n2 = Nested::B(Err(Color::Red)); let n3 = Nested::C; let n4 = Nested::A(None);
    let oc = Some('z'); let obool = Some(true); let ochr: Option<char> = None; let bx = Box::new(Point { x: 11, y: 0.25 });
    let ptr: *const i32 = &int; let fp: fn(i32) -> Option<i32> = gives; let uni = U { a: 1065353216 };
    let clos = |k: i32| k + int; let on: Option<Option<u8>> = Some(None); let onn: Option<Option<bool>> = Some(Some(false)); let ou: Option<u128> = Some(3); let bs = b"bytes"; let ww = Wrap { inner: Some(2u64), n: 1 };
    unsafe { COUNT += 1; }
    let total = /* HERE */ takes(4, s, &v, o1, Err(String::from("e")), &p, (1, 'k')) + gives(int).unwrap_or(2) + shapes::deep::inside(3) as i32 + p.sum(2) as i32 + clos(1) + w.get();
    println!("{} {} {} {} {} {}", total, LIMIT, GREETING, unsafe { COUNT }, TABLE[1], string);
    println!("{:?} {:?} {:?}", us, sl, arr);
}
END
rustc -g -C opt-level=0 demo.rs >rustc.out 2>&1 || { fail 'it does not compile' rustc.out; finish; }
here=$(sed -n '/HERE/=' demo.rs)
compare() { # TITLE, BREAKPOINT, SETTING; the questions are on standard input
    sed 's/.*/echo \\n>> &\\n\n&/' >questions
    asked_both ./demo "$2" "$3"
    check "$1: $(grep -c '' questions | awk '{ print $1 / 2 }') answers are gdb's" lacks said '^differs|belong|Traceback'
    grep -A 12 '^differs' said
}
if command -v gdb >/dev/null; then
    compare 'values, types, expressions' "demo.rs:$here" 'set print pretty off' <<'END'
p b
p c
p c2
p byte
p i8v
p short
p u16v
p int
p uint
p long
p ulong
p wide
p uwide
p us
p is
p f
p d
p unit
p tup
p tup.0
p tup.2
p nest
p nest.1
p p
p p.x
p pr
p pr.0
p un
p w
p w.inner
p rp
p *rp
p rp.x
p m
p s
p string
p v
p sl
p sl[1]
p arr
p arr[1]
p o1
p o2
p o3
p o4
p ob
p ob2
p os
p os2
p r1
p r2
p e1
p e2
p e2.r
p e3
p e3.0
p e4
p e5
p col
p col2
p sing
p n1
p n2
p n3
p n4
p oc
p obool
p ochr
p bx
p bx.x
p *bx
p ptr
p *ptr
p fp
p uni
p clos
p on
p onn
p bs
p ww
p ww.inner
ptype p
ptype pr
ptype tup
ptype o1
ptype e1
ptype col
ptype s
ptype v
ptype sl
ptype w
ptype unit
ptype un
ptype rp
ptype ptr
ptype fp
ptype arr
ptype uni
ptype clos
ptype nest
ptype r1
ptype n1
ptype i8v
ptype uwide
whatis p
whatis w
whatis o1
whatis b
whatis c
whatis tup
whatis sl
whatis byte
whatis e1
whatis rp
whatis wide
p GREETING
p demo::GREETING
p COUNT
p demo::COUNT
p TABLE
p int + 1
p int as i64
p byte as char
p &p
p &int
p *&int
p int == -70000
p !b
p b && true
p sizeof(p)
p sizeof(int)
p/x uint
p/x arr
p/d c
p demo::shapes::Color::Red
p takes
p demo::takes
p 5i64
p 1_000
p 'a'
p "str"
p true
p col as i32
p int
p p
ptype demo::shapes::Point
whatis demo::shapes::Color
END
    printf '%s\n' 'p p' 'p e2' 'p tup' 'p w' 'p ww' 'p pr' 'p arr' 'p o1' 'p clos' 'p/x p' 'p/x o1' 'p/x tup' |
        compare 'over several lines' "demo.rs:$here" 'set print pretty on'
    printf '%s\n' 'info args' 'p s' 'p v' 'p v[1]' 'p o' 'p o.0' 'p t' 'p t.1' 'p *p' 'p a + 1' |
        compare 'arguments' demo::takes 'set print pretty off'
else
    echo 'skip - gdb: not installed'
fi
# gdb 16 hides the members of slices, which gdb 13 shows.
batch -ex 'break demo::takes' -ex 'run >/dev/null' -ex 'p v.length' -ex 'p *v.data_ptr' ./demo
check 'members of a slice' same "$(grep '^\$[12] = ' log | tr '\n' ' ')" '$1 = 3 $2 = 10 '
# What gdb 13 does not answer.
batch -ex "break demo.rs:$here" -ex 'run >/dev/null' -ex 'p ou' -ex 'p nest.0.1' -ex 'ptype demo::shapes::Wrap<i32>' \
    -ex 'p shapes::deep::inside(4)' -ex 'p uwide - 1' -ex 'p wide as i64' -ex 'p 0xffu8' -ex 'p 1_000_000 * 2i64' -ex 'p 2.5f32' \
    -ex 'p !byte as u8' -ex 'p gives(3)' -ex 'p e2.nothing' -ex 'set var p.x = 77' -ex 'p p' -ex 'p &v' -ex 'info locals' ./demo
sed -n 's/^\$[0-9]* = //p' log | head -11 >got
printf '%s\n' 'core::option::Option<u128>::Some(3)' 2 5 340282366920938463463374607431768211454 0 255 2000000 2.5 55 \
    'demo::shapes::Point {x: 77, y: 4.5}' >want
head -10 got | diff - want
check 'what gdb does not answer' sh -c 'head -10 got | cmp - want'
check 'generics by name' has log '^type = struct demo::shapes::Wrap<i32> \{$'
check 'what Rust passes by no rule is not passed' has log '^The function is not called: Rust does not define how a core::option::Option<i32> is passed\.'
check 'a member that the variant has not' has log '^There is no member named nothing\.'
check 'nothing is shown empty' lacks log 'No data fields|<unknown type>|= \{\}'
check 'locals' has log '^n2 = demo::shapes::Nested::B\(core::result::Result<u32, demo::shapes::Color>::Err\(demo::shapes::Color::Red\)\)$'
# At the entry, and what comes back.
batch -ex 'probe demo::takes collect $args return $ret' -ex 'probe demo::shapes::deep::inside if k == 3 collect k return $ret' \
    -ex 'probe demo::shapes::Point::sum collect self.x, k return $ret' -ex 'run >/dev/null' ./demo
batch -ex "convert $(echo ./*.fxt) -o got.json" ./demo
tr -d '\n' <got.json >one.json
check 'probes: scalars, a text and a slice at the entry' has one.json '"a":"?4"?,"s\.data_ptr":[^,]*,"s\.length":"?5"?,"v\.data_ptr":[^,]*,"v\.length":"?3"?'
check 'probes: what is behind them is left out' lacks one.json '"t\.__0"'
check 'probes: a result' has one.json '"\$ret":"?12"?'
check 'probes: a condition' has one.json '"k":"?3"?'
check 'probes: a member of self' has one.json '"self\.x":"?3"?,"k":"?2"?'
batch -ex 'probe demo::takes collect o' -ex 'probe demo::takes collect t' -ex 'probe demo::gives return $ret' ./demo
check 'probes: an enum is refused with a reason' has log 'how Rust passes values of this type is not known'
batch -ex 'break demo::gives' -ex 'run >/dev/null' -ex finish ./demo
check 'finish tells no value that nobody knows' lacks log 'Value returned'
replies 'enums' ./demo "demo.rs:$here" <<'END'
p *(&o1 as *mut u32) = 7 => $1 = 7
p o1.0 => The Rust enum core::option::Option<i32> has no variant for its discriminant 7.
p e2.0 => There is no member named __0.
probe demo::takes if o.0 == 1 => Cannot use members of the Rust enum core::option::Option<i32> in a probe: they depend on its value.
probe demo::takes collect o => o is a Rust enum: its payload cannot be collected. "print" shows it at a breakpoint.
END
# Optimized: what is there is told, what is not has a reason.
rustc -g -C opt-level=2 -o fast demo.rs >rustc.out 2>&1
batch -ex 'break demo::takes' -ex 'run >/dev/null' -ex 'info args' -ex 'finish' -ex 'info locals' ./fast
check 'optimized: nothing is shown empty' lacks log 'No data fields|<unknown type>|= \{\}'
finish
