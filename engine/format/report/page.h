/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - the parts of the page that `report` writes. Each part is the text of files in this
 * folder. conv_html.c replaces the marks @STYLE@, @D3@, @DATA@, @SCRIPT@ and @CHUNKS@ in page.html,
 * in this order. */
#ifndef EZ_PAGE_H
#define EZ_PAGE_H

extern const char ez_page_html[] __attribute__((visibility("hidden")));
extern const char ez_page_css[] __attribute__((visibility("hidden")));
extern const char ez_page_scripts[]
    __attribute__((visibility("hidden"))); /* all *.js, in the order of local.mk */

#endif
