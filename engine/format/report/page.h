/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.h - the parts of a report's page, as they stand in this folder. page.html has
 * the places where the others go: @STYLE@, @D3@, @DATA@, @SCRIPT@, in this order. */
#ifndef EZ_PAGE_H
#define EZ_PAGE_H

extern const char ez_page_html[] __attribute__((visibility("hidden")));
extern const char ez_page_css[] __attribute__((visibility("hidden")));
extern const char ez_adds_js[] __attribute__((visibility("hidden")));
extern const char ez_page_js[] __attribute__((visibility("hidden")));

#endif
