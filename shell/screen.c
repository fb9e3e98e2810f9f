/* SPDX-License-Identifier: GPL-3.0-or-later */
/* screen.c - the whole terminal by ncurses (screen.h).
 *
 * ncurses sets handlers for SIGINT, SIGTERM, SIGTSTP and SIGWINCH. They would never run, because
 * the loop blocks these signals and reads them from its signalfd. screen_new() restores the
 * previous handlers, so that no change outlives the screen. With its own handler for SIGTSTP,
 * ncurses would ignore this signal during each refresh(), and the kernel would discard a pending
 * Ctrl-Z. ncurses installs no handler for SIGTSTP if the program has one, so screen_new() sets one
 * first. */
#define NCURSES_NOMACROS 1
#include "shell/screen.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/base/now.h"
#include "shell/loop.h"
#include "shell/out.h"
#include "shell/sess.h"
#include "shell/width.h"

static const int handled[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };

static struct {
    SCREEN *terminal; /* NULL = closed */
    bool left;        /* the normal screen is shown, for a notice or because the shell is stopped */
    bool draw;        /* the command must redraw the screen */
    bool unicode;
    char *locale; /* LC_CTYPE before screen_open() */
    const struct ez_editor *editor;
} screen;

bool screen_possible(const struct ez_sess *s)
{
    return s->in.terminal && !s->wire && !s->out.piped && !s->out.log && out_moves();
}

/* ---- what the loop calls -------------------------------------------------------------- */

/* Shows the normal screen. */
static void screen_leave(void)
{
    if (screen.left)
        return;
    screen.left = true;
    endwin();
    fflush(stdout);
}

static void screen_return(void)
{
    fflush(stdout);
    screen.left = false;
    screen.draw = true;
    clearok(curscr, TRUE); /* other programs may have changed the terminal */
    refresh();
}

static void screen_resized(void)
{
    screen.draw = true;
}

static void screen_suspend(bool before)
{
    if (before)
        screen_leave();
    else
        screen_return();
}

static const struct ez_editor editor = {
    .hide_line = screen_leave,
    .show_line = screen_return,
    .resized = screen_resized,
    .suspend = screen_suspend,
};

/* ---- open and close ------------------------------------------------------------------- */

static void screen_never_called(int sig)
{
}

static SCREEN *screen_new(void)
{
    const struct sigaction some = { .sa_handler = screen_never_called };
    struct sigaction was[EZ_ARRAY_LEN(handled)];
    for (size_t i = 0; i < EZ_ARRAY_LEN(handled); i++)
        sigaction(handled[i], NULL, &was[i]);
    sigaction(SIGTSTP, &some, NULL);
    SCREEN *made = newterm(NULL, stdout, stdin);
    for (size_t i = 0; i < EZ_ARRAY_LEN(handled); i++)
        sigaction(handled[i], &was[i], NULL);
    return made;
}

/* ncurses shows characters as the locale says, and the shell has no locale. */
static void screen_adopt_locale(void)
{
    const char *was = setlocale(LC_CTYPE, NULL);
    screen.locale = was ? ez_strdup(was) : NULL;
    setlocale(LC_CTYPE, "");
    screen.unicode = !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static void screen_restore_locale(void)
{
    if (screen.locale)
        setlocale(LC_CTYPE, screen.locale);
    free(screen.locale);
    screen.locale = NULL;
}

bool screen_open(struct ez_sess *s)
{
    out_flush(s);
    screen_adopt_locale();
    screen.terminal = screen_new();
    const char *move_cursor = screen.terminal ? tigetstr("cup") : NULL;
    if (!move_cursor || move_cursor == (const char *)-1) {
        if (screen.terminal) {
            endwin();
            delscreen(screen.terminal);
        }
        screen.terminal = NULL;
        screen_restore_locale();
        return false;
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    screen.left = false;
    screen.draw = true;
    screen.editor = s->in.editor;
    s->in.editor = &editor;
    s->in.editing = true;
    return true;
}

void screen_close(struct ez_sess *s)
{
    if (!screen.terminal)
        return;
    curs_set(1);
    screen_leave();
    delscreen(screen.terminal);
    screen.terminal = NULL;
    s->in.editor = screen.editor;
    s->in.editing = false;
    screen_restore_locale();
}

/* ---- text ----------------------------------------------------------------------------- */

void screen_size(unsigned *columns, unsigned *lines)
{
    *columns = (unsigned)getmaxx(stdscr);
    *lines = (unsigned)getmaxy(stdscr);
}

bool screen_unicode(void)
{
    return screen.unicode;
}

void screen_erase(void)
{
    erase();
}

/* Returns the text with '?' for characters outside of ASCII. The caller frees. */
static char *screen_ascii(const char *text)
{
    char *out = ez_strdup(text), *o = out;
    for (const char *p = text; *p; p++)
        if ((*p & 0xc0) != 0x80) /* not a continuation byte of UTF-8 */
            *o++ = (char)(*p & 0x80 ? '?' : *p);
    *o = 0;
    return out;
}

void screen_line(unsigned line, const char *safe, enum screen_style style)
{
    static const attr_t attribute[] = { A_NORMAL, A_REVERSE, A_BOLD, A_REVERSE | A_BOLD };
    unsigned columns, lines;
    screen_size(&columns, &lines);
    if (line >= lines)
        return;
    EZ_FREE char *ascii = screen.unicode ? NULL : screen_ascii(safe);
    const char *text = ascii ? ascii : safe;
    size_t n = width_head(text, columns);
    attrset((int)attribute[style]);
    move((int)line, 0);
    clrtoeol();
    addnstr(text, (int)n);
    if (style == SCREEN_HEAD || style == SCREEN_SELECTED)
        for (size_t at = width_of(text); at < columns; at++)
            addch(' ');
    attrset(A_NORMAL);
}

void screen_show(bool whole)
{
    if (screen.left)
        return;
    if (whole)
        clearok(curscr, TRUE);
    refresh();
}

/* ---- keys ----------------------------------------------------------------------------- */

/* Gives ncurses the terminal's new size. */
static void screen_resize(void)
{
    struct winsize w = { 0 };
    if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row && w.ws_col &&
        (w.ws_row != getmaxy(stdscr) || w.ws_col != getmaxx(stdscr)))
        resizeterm(w.ws_row, w.ws_col);
}

static int screen_read(void)
{
    static const struct {
        int curses, key;
    } keys[] = {
        { KEY_UP, SCREEN_UP },         { KEY_DOWN, SCREEN_DOWN },
        { KEY_PPAGE, SCREEN_PAGE_UP }, { KEY_NPAGE, SCREEN_PAGE_DOWN },
        { KEY_HOME, SCREEN_HOME },     { KEY_END, SCREEN_END },
        { KEY_ENTER, SCREEN_ENTER },   { '\n', SCREEN_ENTER },
        { '\r', SCREEN_ENTER },        { KEY_BACKSPACE, SCREEN_BACKSPACE },
        { 0x7f, SCREEN_BACKSPACE },    { '\b', SCREEN_BACKSPACE },
        { 0x1b, SCREEN_ESCAPE },       { KEY_RESIZE, SCREEN_DRAW },
    };
    int c = getch();
    if (c == ERR)
        return SCREEN_NONE;
    for (size_t i = 0; i < EZ_ARRAY_LEN(keys); i++)
        if (keys[i].curses == c)
            return keys[i].key;
    return c < KEY_MIN ? c : SCREEN_NONE;
}

int screen_key(struct ez_sess *s, int ms)
{
    uint64_t end = ez_now_ns() + (uint64_t)ms * 1000000;
    for (;;) {
        if (screen.draw) {
            screen.draw = false;
            screen_resize();
            return SCREEN_DRAW;
        }
        int key = screen_read();
        uint64_t now = ez_now_ns();
        if (key != SCREEN_NONE)
            return key;
        if (now >= end)
            return SCREEN_NONE;
        loop_once(s, true, (int)((end - now) / 1000000 + 1));
        if (s->end.interrupted || s->end.quit || s->end.signal)
            return SCREEN_ENDS;
    }
}
