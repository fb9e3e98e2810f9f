/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.h - the whole terminal, for a command that redraws it: lines of text, and keys.
 *
 * While a screen is open, the loop works as at the prompt (loop.h): events of the program are
 * printed on the normal screen, Ctrl-Z suspends the shell, and Ctrl-C and SIGTERM end the command.
 * Text is escaped, as everywhere (out.h). There is one screen at a time. screen_close() leaves the
 * terminal as it was, so a command calls it on every path.
 *
 * Tests: tests/trace/screen.sh */
#ifndef EZ_SCREEN_H
#define EZ_SCREEN_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_sess;

enum screen_key {                  /* other keys are their characters */
                  SCREEN_NONE = 0, /* no key was pressed within the time */
                  /* the command must redraw: the size changed, or something else was printed */
                  SCREEN_DRAW = -1,
                  SCREEN_ENDS = -2, /* Ctrl-C, or the shell must end */
                  SCREEN_UP = 0x1000,
                  SCREEN_DOWN,
                  SCREEN_PAGE_UP,
                  SCREEN_PAGE_DOWN,
                  SCREEN_HOME,
                  SCREEN_END,
                  SCREEN_ENTER,
                  SCREEN_BACKSPACE,
                  SCREEN_ESCAPE,
};
enum screen_style { SCREEN_PLAIN, SCREEN_HEAD, SCREEN_BOLD, SCREEN_SELECTED };

/* Returns whether standard input and output are a terminal that can move its cursor, and output
 * goes to neither a program nor a log. */
bool screen_possible(const struct ez_sess *s);
/* Opens the screen. Returns false if the terminal's type is unknown, or has no cursor addressing.
 * Call only if screen_possible(). */
bool screen_open(struct ez_sess *s) EZ_WUR;
void screen_size(unsigned *columns, unsigned *lines);
/* Returns whether the terminal shows characters outside of ASCII. */
bool screen_unicode(void);
void screen_erase(void);
/* Puts text that is escaped already into a line, and blanks behind it. The line is cut at the
 * terminal's width. Does nothing below the last line. */
void screen_line(unsigned line, const char *safe, enum screen_style style);
/* Shows the drawn text. whole: writes all lines again, because another process may have written to
 * the terminal. */
void screen_show(bool whole);
/* Waits for a key at most `ms` milliseconds, and handles events and signals meanwhile. Returns a
 * character or an enum screen_key. */
int screen_key(struct ez_sess *s, int ms);
void screen_close(struct ez_sess *s);

#endif
