// SPDX-License-Identifier: GPL-3.0-or-later
// agree.rs - values of each kind that Rust has; see agree.c.

pub struct Point {
    x: i32,
    y: f64,
}
pub struct Pair(u8, i64);
pub struct Unit;
#[derive(Clone, Copy, PartialEq)]
pub enum Color {
    Red,
    Green = 5,
    Blue,
}
pub enum Shape {
    Empty,
    Circle(f64),
    Rect { w: u32, h: u32 },
}
pub struct Wrap<T> {
    inner: T,
    count: usize,
}
pub static LIMIT: i32 = 20;
pub static mut COUNTER: u64 = 3;
static NAMES: [&str; 2] = ["zero", "one"];

// The compiler knows nothing about what comes back. (std::hint::black_box came with rustc 1.66; Debian 12 has 1.63.)
#[inline(never)]
fn keep<T>(it: T) -> T {
    unsafe { std::arch::asm!("/* {0} */", in(reg) &it as *const T) };
    it
}

#[inline(never)]
fn integers(a: i8, b: u8, c: i16, d: u32, e: i64, f: u64, g: usize, ok: bool, ch: char) -> i64 {
    let sum = a as i64 + b as i64 + c as i64 + d as i64 + e;
    let big: i64 = sum * 3;
    keep(&big);
    println!("{} {} {} {} {}", sum, f, g, ok, ch); // STOP
    big
}

#[inline(never)]
fn compounds(p: &Point, q: Pair, t: (i32, f32), a: [i32; 3], s: &[i32], text: &str, u: &Unit, w: &Wrap<i32>) -> i32 {
    let local = Point { x: p.x + 1, y: p.y };
    let nested = Wrap { inner: Pair(3, -4), count: 2 };
    keep((&local, &nested, u));
    println!("{} {} {} {} {}", local.x, q.1, t.0, a[1] + s[0], text); // STOP
    local.x + w.inner + nested.count as i32 + nested.inner.0 as i32 + q.0 as i32
}

#[inline(never)]
fn enums(c: Color, s: &Shape, r: &Shape, e: &Shape, some: Option<i32>, none: Option<i32>, bx: Option<&i32>, nobody: Option<&i32>,
         res: Result<u32, i8>) -> i32 {
    let inner = match s { Shape::Circle(f) => *f as i32, Shape::Rect { w, h } => (w + h) as i32, Shape::Empty => 0 };
    let blue = Color::Blue;
    keep((&inner, &blue, r, e, &none, &nobody));
    println!("{} {:?} {:?} {:?}", inner, some, bx, res); // STOP
    inner + c as i32
}

mod deep {
    pub static LIMIT: i32 = 7;
    #[inline(never)]
    pub fn recursive(n: u32) -> u32 {
        let here = n * n;
        super::keep(&here);
        if n == 0 {
            println!("{}", here); // STOP
            return 1;
        }
        recursive(n - 1) + here
    }
}

fn main() {
    let seven = 7;
    let vector = vec![1, 2, 3];
    let text = String::from("owned");
    let boxed = Box::new(Point { x: 8, y: 0.5 });
    unsafe { COUNTER += keep(1) };
    keep(integers(-1, 200, -3, 4000000000, -5000000000, 1 << 63, 12, true, 'x'));
    keep(compounds(&boxed, Pair(1, -2), (4, 2.5), [5, 6, 7], &vector, &text, &Unit, &Wrap { inner: 9, count: 1 }));
    keep(enums(Color::Green, &Shape::Circle(2.5), &Shape::Rect { w: 1, h: 2 }, &Shape::Empty, Some(5), None, Some(&seven),
                    None, Err(-1)));
    println!("{}", deep::recursive(3) + NAMES.len() as u32); // STOP
    keep((LIMIT, deep::LIMIT, Color::Red == keep(Color::Blue)));
}
