/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_type.c - writes types and their parts (members, enumerators, parameters) into answers,
 * which dwarf.c reads (dwarf_priv.h).
 * Tests: tests/unit/dwarf/check_dwarf.c, tests/procs/types.sh */
#include <string.h>

#include "engine/dwarf/dwarf_read.h"
#include "engine/dwarf/type.h"

#define DEEPEST 32 /* maximum depth of bases and members in the check whether a class is trivial */

static enum ez_type_kind dwarftype_base_kind(Dwarf_Die *die, bool *is_signed)
{
    if (dwarf_answer_language(die) == DWARF_FN_RUST && !dwarfread_number(die, DW_AT_byte_size, 0))
        return EZ_TY_STRUCT; /* Rust's base types "()" and "!" */
    uint64_t encoding = dwarfread_number(die, DW_AT_encoding, 0);
    uint64_t size = dwarfread_number(die, DW_AT_byte_size, 0);
    *is_signed =
        encoding == DW_ATE_signed || encoding == DW_ATE_signed_char || encoding == DW_ATE_float;
    switch (encoding) {
    case DW_ATE_boolean:
        return EZ_TY_BOOL;
    case DW_ATE_float:
        return EZ_TY_FLOAT;
    case DW_ATE_complex_float:
        return EZ_TY_COMPLEX;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return size == 1 ? EZ_TY_CHAR : EZ_TY_INT;
    case DW_ATE_signed:
    case DW_ATE_unsigned:
    case DW_ATE_address:
        return EZ_TY_INT;
    }
    return EZ_TY_UNKNOWN;
}

static const struct {
    int tag;
    enum ez_type_kind kind;
    const char *word;
} kinds[] = {
    { DW_TAG_pointer_type, EZ_TY_POINTER, "" },
    { DW_TAG_reference_type, EZ_TY_REFERENCE, "" },
    { DW_TAG_rvalue_reference_type, EZ_TY_REFERENCE, "&&" },
    { DW_TAG_array_type, EZ_TY_ARRAY, "" },
    { DW_TAG_string_type, EZ_TY_ARRAY, "" },
    { DW_TAG_structure_type, EZ_TY_STRUCT, "" },
    { DW_TAG_class_type, EZ_TY_STRUCT, "" },
    { DW_TAG_interface_type, EZ_TY_STRUCT, "" },
    { DW_TAG_union_type, EZ_TY_UNION, "" },
    { DW_TAG_enumeration_type, EZ_TY_ENUM, "" },
    { DW_TAG_subroutine_type, EZ_TY_FUNC, "" },
    { DW_TAG_subprogram, EZ_TY_FUNC, "" },
    { DW_TAG_typedef, EZ_TY_NAMED, "" },
    { DW_TAG_const_type, EZ_TY_CONST, "const" },
    { DW_TAG_volatile_type, EZ_TY_CONST, "volatile" },
    { DW_TAG_restrict_type, EZ_TY_CONST, "restrict" },
    { DW_TAG_atomic_type, EZ_TY_CONST, "_Atomic" },
    { DW_TAG_subrange_type, EZ_TY_NAMED, "" },
    { DW_TAG_ptr_to_member_type, EZ_TY_MEMBER, "" },
};

static enum ez_type_kind dwarftype_kind(Dwarf_Die *die, const char **word, bool *is_signed)
{
    int tag = dwarf_tag(die);
    *word = "";
    *is_signed = false;
    if (tag == DW_TAG_base_type)
        return dwarftype_base_kind(die, is_signed);
    if (tag == DW_TAG_unspecified_type) /* the type of nullptr, or a lambda's result */
        return dwarf_diename(die) && strstr(dwarf_diename(die), "nullptr") ? EZ_TY_POINTER
               : dwarf_diename(die) && !strcmp(dwarf_diename(die), "auto") ? EZ_TY_UNKNOWN
                                                                           : EZ_TY_VOID;
    for (size_t i = 0; i < EZ_ARRAY_LEN(kinds); i++)
        if (kinds[i].tag == tag) {
            *word = kinds[i].word;
            return kinds[i].kind;
        }
    return EZ_TY_UNKNOWN;
}

static bool dwarftype_is_class(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Returns whether the member function `fn` causes objects of the class to be passed by the address
 * of a copy: it is virtual, or a destructor, copy or move constructor that the source defines. */
static bool dwarftype_is_own(Dwarf_Die *fn, const char *class)
{
    const char *name = dwarf_diename(fn);
    size_t n = strcspn(class ? class : "", "<"), params = 0;
    Dwarf_Die p, t, to;
    bool copies = false;
    if (dwarfread_number(fn, DW_AT_virtuality, 0))
        return true;
    if (!name || !class || dwarf_hasattr(fn, DW_AT_artificial) ||
        dwarfread_number(fn, DW_AT_defaulted, 0) == DW_DEFAULTED_in_class)
        return false;
    if (*name == '~')
        return true;
    if (strncmp(name, class, n) || (name[n] && name[n] != '<') || dwarf_child(fn, &p))
        return false;
    do {
        if (dwarf_tag(&p) != DW_TAG_formal_parameter || dwarf_hasattr(&p, DW_AT_artificial))
            continue;
        params++;
        int tag = dwarfread_type_of(&p, &t) ? dwarf_tag(&t) : 0;
        if ((tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) ||
            !dwarfread_type_of(&t, &to))
            continue;
        dwarf_peel_type(&to, &to);
        copies = dwarf_diename(&to) && !strcmp(dwarf_diename(&to), class);
    } while (!dwarf_siblingof(&p, &p));
    return params == 1 && copies;
}

static bool dwarftype_by_address(Dwarf_Die *die, unsigned depth)
{
    uint64_t convention = dwarfread_number(die, DW_AT_calling_convention, 0);
    Dwarf_Die part, type;
    if (convention == DW_CC_pass_by_reference || convention == DW_CC_pass_by_value)
        return convention == DW_CC_pass_by_reference;
    if (depth > DEEPEST || dwarf_child(die, &part))
        return false;
    do {
        int tag = dwarf_tag(&part);
        if (tag == DW_TAG_subprogram && dwarftype_is_own(&part, dwarf_diename(die)))
            return true;
        if (tag == DW_TAG_inheritance && dwarfread_number(&part, DW_AT_virtuality, 0))
            return true;
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_hasattr(&part, DW_AT_external) || !dwarfread_type_of(&part, &type))
            continue;
        while (dwarf_tag(&type) == DW_TAG_array_type && dwarfread_type_of(&type, &type))
            ;
        if (!dwarf_peel_type(&type, &type) && dwarftype_is_class(dwarf_tag(&type)) &&
            dwarftype_by_address(&type, depth + 1))
            return true;
    } while (!dwarf_siblingof(&part, &part));
    return false;
}

static bool dwarftype_is_fortran(Dwarf_Die *die)
{
    return dwarf_answer_language(die) == DWARF_FN_FORTRAN;
}

/* Returns the index of a dimension's first element. If it is not a constant in the debug
 * information, returns the language's default. */
static int64_t dwarftype_lower(Dwarf_Die *dim, bool fortran)
{
    Dwarf_Attribute a;
    int64_t lower;
    return dwarf_attr_integrate(dim, DW_AT_lower_bound, &a) && dwarfread_signed(&a, &lower)
               ? lower
               : fortran;
}

/* Returns the number of elements of one dimension; UINT64_MAX if unknown. */
static uint64_t dwarftype_count(Dwarf_Die *dim, bool fortran)
{
    uint64_t n = dwarfread_number(dim, DW_AT_count, UINT64_MAX);
    if (n != UINT64_MAX)
        return n;
    Dwarf_Attribute a;
    int64_t upper, lower = dwarftype_lower(dim, fortran);
    if (!dwarf_attr_integrate(dim, DW_AT_upper_bound, &a) ||
        dwarf_whatform(&a) == DW_FORM_exprloc || !dwarfread_signed(&a, &upper))
        return UINT64_MAX;
    /* Old compilers write UINT32_MAX as the upper bound of an array without elements. */
    upper = upper == UINT32_MAX ? -1 : upper;
    return upper >= lower ? (uint64_t)upper - (uint64_t)lower + 1 : 0;
}

/* Emits the dimensions, outermost first, each with the index of its first element. In the debug
 * information, Fortran's dimensions begin with the contiguous one. A Fortran array with a
 * descriptor gets unknown sizes. */
static void dwarftype_dimensions(struct dwarf_answer *a, Dwarf_Die *die)
{
    EZ_VEC(uint64_t) count = { 0 };
    EZ_VEC(int64_t) lower = { 0 };
    Dwarf_Die dim;
    bool fortran = dwarftype_is_fortran(die), descriptor = dwarf_hasattr(die, DW_AT_data_location);
    if (dwarf_tag(die) == DW_TAG_string_type)
        EZ_PUSH(&count, dwarf_hasattr(die, DW_AT_string_length)
                            ? UINT64_MAX
                            : dwarfread_number(die, DW_AT_byte_size, UINT64_MAX));
    else if (!dwarf_child(die, &dim))
        do
            if (dwarf_tag(&dim) == DW_TAG_subrange_type) {
                EZ_PUSH(&count, descriptor ? UINT64_MAX : dwarftype_count(&dim, fortran));
                EZ_PUSH(&lower, dwarftype_lower(&dim, fortran));
            }
        while (count.n < 8 && !dwarf_siblingof(&dim, &dim));
    if (!count.n)
        EZ_PUSH(&count, UINT64_MAX);
    dwarf_answer_number(a, count.n);
    for (size_t k = 0; k < count.n; k++) {
        size_t i = fortran ? count.n - 1 - k : k;
        dwarf_answer_number(a, count.at[i]);
        dwarf_answer_number(a, (uint64_t)(i < lower.n ? lower.at[i] : fortran));
    }
    EZ_VEC_FREE(&count);
    EZ_VEC_FREE(&lower);
}

/* Returns whether the type is libstdc++'s std::string (its first word points to the characters). */
static bool dwarftype_is_text(const char *within, const char *name)
{
    return name && !strncmp(name, "basic_string<char,", 18) &&
           (!strcmp(within, "std::__cxx11::") || !strcmp(within, "std::"));
}

static bool dwarftype_is_cxx(Dwarf_Die *die)
{
    return dwarf_answer_language(die) == DWARF_FN_CXX;
}

static uint64_t dwarftype_flags(Dwarf_Die *die, const char *within, bool is_signed)
{
    uint64_t flags = is_signed ? DWARF_TY_SIGNED : 0;
    flags |= dwarfindex_is_type(dwarf_tag(die)) && dwarftype_is_cxx(die) ? DWARF_TY_CXX : 0;
    flags |= dwarfread_number(die, DW_AT_enum_class, 0) ? DWARF_TY_SCOPED : 0;
    flags |= dwarf_answer_language(die) == DWARF_FN_RUST ? DWARF_TY_RUST : 0;
    Dwarf_Die child;
    int tag = dwarf_tag(die);
    if (tag == DW_TAG_array_type || tag == DW_TAG_string_type)
        flags |= dwarfshape_is_dynamic(die) ? DWARF_TY_DYNAMIC : 0;
    if (tag == DW_TAG_array_type || tag == DW_TAG_pointer_type)
        flags |= dwarf_hasattr(die, DW_AT_allocated) ? DWARF_TY_ALLOCATABLE : 0;
    if (tag == DW_TAG_string_type)
        flags |= DWARF_TY_TEXT;
    if (tag == DW_TAG_enumeration_type) { /* An enum is signed if its integer type is signed. */
        Dwarf_Die under;
        bool below;
        const char *word;
        if (dwarfread_type_of(die, &under) && !dwarf_peel_type(&under, &under)) {
            dwarftype_kind(&under, &word, &below);
            flags |= below ? DWARF_TY_SIGNED : 0;
        }
    }
    if (dwarftype_is_class(tag)) {
        flags |= dwarftype_is_text(within, dwarf_diename(die)) ? DWARF_TY_TEXT : 0;
        flags |= dwarftype_by_address(die, 0) ? DWARF_TY_BY_ADDRESS : 0;
    }
    if (tag == DW_TAG_subroutine_type || tag == DW_TAG_subprogram) {
        flags |= dwarfread_number(die, DW_AT_prototyped, 0) || dwarftype_is_cxx(die)
                     ? DWARF_TY_PROTOS
                     : 0;
        if (!dwarf_child(die, &child))
            do
                if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
                    flags |= DWARF_TY_VARIADIC;
            while (!dwarf_siblingof(&child, &child));
    }
    return flags;
}

/* Returns the name of a C++ struct that is named only by its typedef: the linkage name "6bits_t"
 * means bits_t. Returns NULL if the entry has no such linkage name. */
static const char *dwarftype_linked(Dwarf_Die *die)
{
    Dwarf_Attribute at;
    const char *name = dwarf_attr(die, DW_AT_linkage_name, &at) ? dwarf_formstring(&at) : NULL;
    size_t digits = name ? strspn(name, "0123456789") : 0;
    bool plain = digits && strtoul(name, NULL, 10) == strlen(name + digits);
    return plain ? name + digits : NULL;
}

/* Returns the scope of a type: "ns::cls::". For a type inside a function, returns only the classes
 * around the type inside the function. The caller frees the text. */
static char *dwarftype_within(struct dwarf_unit *u, Dwarf_Die *die)
{
    Dwarf_Die *scope = NULL;
    if (!u || dwarfindex_entry(u, die))
        return ez_strdup(u ? dwarfindex_within(u, die) : "");
    char *all = ez_strdup("");
    int n = dwarf_getscopes_die(die, &scope);
    for (int i = 1; i < n && dwarftype_is_class(dwarf_tag(&scope[i])); i++) {
        EZ_FREE char *was = all;
        const char *name = dwarf_diename(&scope[i]);
        all = ez_sprintf("%s%s%s", name ? name : "", name ? "::" : "", was);
    }
    free(scope);
    return all;
}

/* Emits a type: kind, flags, size, alignment from alignas, whether it is a GNU vector, whether it
 * is only declared, name, key of the type that it is derived from; then the class of a pointer to
 * member, or the dimensions of an array. */
void dwarftype_emit(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die)
{
    const char *word;
    bool is_signed, gnu_vector = dwarf_hasattr(die, DW_AT_GNU_vector);
    Dwarf_Die to;
    dwarfread_whole(die);
    enum ez_type_kind kind = dwarftype_kind(die, &word, &is_signed);
    struct dwarf_unit *u = dwarfindex_is_type(dwarf_tag(die)) ? dwarfsplit_unit_of(f, die) : NULL;
    if (u)
        dwarfindex_unit(u);
    EZ_FREE char *within = dwarftype_within(u, die);
    const char *name = *word ? word : kind == EZ_TY_FUNC ? NULL : dwarf_diename(die);
    if (!name && dwarftype_is_class(dwarf_tag(die)))
        name = dwarftype_linked(die);
    Dwarf_Word total;
    bool sized = kind != EZ_TY_FUNC && kind != EZ_TY_VOID && !dwarf_aggregate_size(die, &total);
    EZ_FREE char *as_reported = name && *name ? ez_sprintf("%s%s", within, name) : NULL;
    bool template = as_reported && strchr(as_reported, '<') && dwarftype_is_cxx(die);
    EZ_FREE char *written = template ? dwarfwritten(as_reported) : NULL;
    const char *full = written ? written : as_reported;
    dwarf_answer_number(a, kind);
    dwarf_answer_number(a, dwarftype_flags(die, within, is_signed));
    dwarf_answer_number(
        a, kind == EZ_TY_MEMBER ? dwarfclass_pointer_size(die)
           : sized              ? total
                                : dwarfread_number(die, DW_AT_byte_size,
                                      kind == EZ_TY_POINTER || kind == EZ_TY_REFERENCE ? 8 : 0));
    dwarf_answer_number(a, dwarfread_number(die, DW_AT_alignment, 0));
    dwarf_answer_number(a, gnu_vector);
    dwarf_answer_number(a, dwarf_hasattr(die, DW_AT_declaration));
    dwarf_answer_text(a, full);
    bool made = kind != EZ_TY_STRUCT && kind != EZ_TY_UNION;
    if (dwarf_tag(die) == DW_TAG_string_type)
        dwarf_answer_number(a, DWARF_KEY_CHAR);
    else
        dwarf_answer_number(a, made && dwarfread_type_of(die, &to) ? dwarfread_key(f, &to) : 0);
    if (kind == EZ_TY_MEMBER)
        dwarf_answer_number(a, dwarfclass_containing(f, die));
    if (kind == EZ_TY_ARRAY)
        dwarftype_dimensions(a, die);
}

/* Returns the offset of a member: a number, or operations in old versions. For a virtual base, sets
 * *vbase to the position of the base's offset, in bytes from the address in the vtable pointer,
 * which it finds in operations of the form [dup, deref, constant, minus or plus, deref, plus]. */
static uint64_t dwarftype_location(Dwarf_Die *m, int64_t *vbase)
{
    Dwarf_Attribute at;
    Dwarf_Op *op;
    Dwarf_Word number;
    size_t n;
    int64_t by;
    if (!dwarf_attr_integrate(m, DW_AT_data_member_location, &at))
        return 0;
    if (!dwarf_formudata(&at, &number))
        return number;
    if (dwarf_getlocation(&at, &op, &n))
        return 0;
    if (n == 1 && op[0].atom == DW_OP_plus_uconst)
        return op[0].number;
    if (n == 2 && dwarf_answer_is_constant(&op[0], &by) && op[1].atom == DW_OP_plus)
        return (uint64_t)by;
    if (n == 6 && op[0].atom == DW_OP_dup && op[1].atom == DW_OP_deref &&
        dwarf_answer_is_constant(&op[2], &by) && op[4].atom == DW_OP_deref &&
        op[5].atom == DW_OP_plus && (op[3].atom == DW_OP_minus || op[3].atom == DW_OP_plus))
        *vbase = op[3].atom == DW_OP_minus ? -by : by;
    return 0;
}

static bool dwarftype_is_placed(Dwarf_Die *inheritance)
{
    int64_t vbase = 0;
    dwarftype_location(inheritance, &vbase);
    return vbase || !dwarfread_number(inheritance, DW_AT_virtuality, 0);
}

static void dwarftype_member(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *m, int of)
{
    Dwarf_Die type;
    uint64_t bits = dwarfread_number(m, DW_AT_bit_size, 0), first = 0;
    int64_t vbase = 0;
    uint64_t at = dwarftype_location(m, &vbase);
    bool typed = dwarfread_type_of(m, &type);
    if (bits && dwarf_hasattr(m, DW_AT_data_bit_offset)) {
        first = dwarfread_number(m, DW_AT_data_bit_offset, 0);
    } else if (bits) {
        /* DW_AT_bit_offset counts from the most significant end of the storage unit */
        int own = typed ? dwarf_bytesize(&type) : 0;
        uint64_t storage = dwarfread_number(m, DW_AT_byte_size, own > 0 ? (uint64_t)own : 4);
        first = 8 * at + 8 * storage - dwarfread_number(m, DW_AT_bit_offset, 0) - bits;
    }
    dwarf_answer_text(a, dwarf_diename(m));
    dwarf_answer_number(a, typed ? dwarfread_key(f, &type) : 0);
    dwarf_answer_number(a, bits ? first / 8 : at);
    dwarf_answer_number(a, bits ? first % 8 : 0);
    dwarf_answer_number(a, bits);
    dwarf_answer_number(a, dwarf_tag(m) == DW_TAG_inheritance);
    dwarf_answer_number(a, dwarfclass_access(m, of));
    dwarf_answer_number(a, (uint64_t)vbase);
}

bool dwarftype_is_part(Dwarf_Die *die, int of)
{
    int tag = dwarf_tag(die);
    if (of == DW_TAG_enumeration_type)
        return tag == DW_TAG_enumerator;
    if (of == DW_TAG_subroutine_type || of == DW_TAG_subprogram)
        return tag == DW_TAG_formal_parameter;
    return (tag == DW_TAG_member && !dwarf_hasattr(die, DW_AT_external) &&
            !dwarf_hasattr(die, DW_AT_declaration)) ||
           (tag == DW_TAG_inheritance && dwarftype_is_placed(die));
}

/* Returns the scope of an enum's names in C++ or Rust: "ns::col::". The caller frees it. */
static char *dwarftype_around(struct dwarf_file *f, Dwarf_Die *die)
{
    Dwarf_Die first;
    bool qualified = dwarf_answer_language(die) & (DWARF_FN_CXX | DWARF_FN_RUST);
    struct dwarf_unit *u =
        dwarf_tag(die) == DW_TAG_enumeration_type && qualified ? dwarfsplit_unit_of(f, die) : NULL;
    if (!u || dwarf_child(die, &first))
        return ez_strdup("");
    dwarfindex_unit(u);
    if (dwarfindex_entry(u, &first))
        return ez_strdup(dwarfindex_within(u, &first));
    EZ_FREE char *within = dwarftype_within(u, die);
    bool scoped = dwarf_hasattr(die, DW_AT_enum_class) && dwarf_diename(die);
    return ez_sprintf("%s%s%s", within, scoped ? dwarf_diename(die) : "", scoped ? "::" : "");
}

/* Emits an enumerator or a parameter. around: the scope of an enum's names. */
static void dwarftype_name(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *part,
                           const char *around)
{
    Dwarf_Attribute value;
    Dwarf_Die type;
    int64_t n = 0;
    const char *name = dwarf_diename(part);
    EZ_FREE char *full = ez_sprintf("%s%s", around, name ? name : "");
    dwarf_answer_text(a, full);
    if (dwarf_tag(part) == DW_TAG_enumerator) {
        bool known = dwarf_attr(part, DW_AT_const_value, &value) && dwarfread_signed(&value, &n);
        dwarf_answer_number(a, known ? (uint64_t)n : 0);
    } else {
        dwarf_answer_number(a, dwarfread_type_of(part, &type) ? dwarfread_key(f, &type) : 0);
    }
}

/* Reads a discriminant's value. Returns false for a value of 16 bytes whose upper half is not zero,
 * or of another form. */
static bool dwarftype_discr(Dwarf_Attribute *value, int64_t *out)
{
    Dwarf_Block b;
    uint64_t word[2];
    if (dwarfread_signed(value, out))
        return true;
    if (dwarf_formblock(value, &b) || b.length != sizeof word)
        return false;
    memcpy(word, b.data, sizeof word);
    *out = (int64_t)word[0];
    return !word[1];
}

/* Emits one of an enum's variants: the value of the discriminant that selects it, and its
 * member. */
static void dwarftype_variant(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *variant)
{
    Dwarf_Die m;
    Dwarf_Attribute value;
    int64_t n = 0;
    enum dwarf_variant by = DWARF_VARIANT_ELSE;
    if (dwarf_child(variant, &m) || dwarf_tag(&m) != DW_TAG_member)
        return;
    if (dwarf_hasattr(variant, DW_AT_discr_list))
        by = DWARF_VARIANT_STRANGE;
    else if (dwarf_attr(variant, DW_AT_discr_value, &value))
        by = dwarftype_discr(&value, &n) ? DWARF_VARIANT_VALUE : DWARF_VARIANT_STRANGE;
    dwarf_answer_number(a, DWARF_PART_VARIANT);
    dwarf_answer_number(a, by);
    dwarf_answer_number(a, (uint64_t)n);
    dwarftype_member(f, a, &m, DW_TAG_variant);
}

/* Emits the discriminant and the variants of a Rust enum. An enum with a single variant has no
 * discriminant. */
static void dwarftype_variants(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *of)
{
    Dwarf_Die part, discr;
    Dwarf_Attribute at;
    if (dwarf_attr(of, DW_AT_discr, &at) && dwarf_formref_die(&at, &discr)) {
        dwarf_answer_number(a, DWARF_PART_DISCR);
        dwarftype_member(f, a, &discr, DW_TAG_variant);
    }
    if (!dwarf_child(of, &part))
        do
            if (dwarf_tag(&part) == DW_TAG_variant)
                dwarftype_variant(f, a, &part);
        while (!dwarf_siblingof(&part, &part));
}

/* Emits the parts of a type, each after its enum dwarf_part. */
void dwarftype_emit_parts(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die)
{
    Dwarf_Die part;
    dwarfread_whole(die);
    int tag = dwarf_tag(die);
    EZ_FREE char *around = dwarftype_around(f, die);
    if (!dwarf_child(die, &part))
        do {
            if (dwarf_tag(&part) == DW_TAG_variant_part && dwarftype_is_class(tag))
                dwarftype_variants(f, a, &part);
            if (!dwarftype_is_part(&part, tag))
                continue;
            dwarf_answer_number(a, DWARF_PART);
            if (dwarftype_is_class(tag))
                dwarftype_member(f, a, &part, tag);
            else
                dwarftype_name(f, a, &part, around);
        } while (!dwarf_siblingof(&part, &part));
    dwarf_answer_number(a, DWARF_PART_END);
}
