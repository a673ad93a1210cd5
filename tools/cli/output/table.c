#include "cli/output/table.h"
#include "base/grow.h"
#include "base/numbers.h"
#include "base/words.h"

#include "cli/command.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int bine_word_format(const char *word, enum bine_format *format) {
    static const char *const names[] = {"text", "csv", "json"};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, names[i]) == 0) {
            *format = (enum bine_format)i;
            return 0;
        }
    return bine_complain_near(bine_nearest_word(word, names, 3),
                              "unknown format '%s': expected text, csv or json", word);
}

static char *format_cell(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void bine_table_add(struct bine_table *t, const char *format, ...) {
    if (t->failed)
        return;
    if (bine_grow(&t->cell, &t->room, t->cells + 1, sizeof *t->cell) != 0) {
        t->failed = 1;
        return;
    }
    va_list args;
    va_start(args, format);
    char *text = format_cell(format, args);
    va_end(args);
    if (text == NULL)
        t->failed = 1;
    else
        t->cell[t->cells++] = text;
}

void bine_table_free(struct bine_table *t) {
    for (size_t i = 0; i < t->cells; i++)
        free(t->cell[i]);
    free(t->cell);
    *t = (struct bine_table){0};
}

enum { TERMINAL = 100, INDENT = 4, NARROWEST = 12 };

static const char *title_of(const struct bine_table *t, size_t column) {
    return t->title != NULL ? t->title[column] : t->column[column].name;
}

/* How a table is laid out as text. */
struct layout {
    const struct bine_table *t;
    int *width;
    const char **rest; /* of the cells of a row, what is not printed yet */
    size_t columns;    /* that stand beside each other; the last may be below */
    int gap;
};

static int longest_word(const char *text) {
    int most = 0;
    while (*text != '\0') {
        int n = (int)strcspn(text, " ");
        most = bine_max(n, most);
        text += n + (text[n] == ' ');
    }
    return most;
}

/* The width of a column, or of the longest word in it. */
static int width_of(const struct bine_table *t, size_t column, int (*measure)(const char *)) {
    int width = measure(title_of(t, column));
    for (size_t i = column; i < t->cells; i += t->columns) {
        int n = measure(t->cell[i]);
        width = bine_max(n, width);
    }
    return width;
}

static int whole_length(const char *text) {
    return (int)strlen(text);
}

static int total(const struct layout *l) {
    int sum = -l->gap;
    for (size_t c = 0; c < l->columns; c++)
        sum += l->width[c] + l->gap;
    return sum;
}

/* Take what is too much from the widest column of words that can be broken; 0 if there is none. */
static int shrink(struct layout *l) {
    size_t widest = l->columns;
    int least = 0;
    for (size_t c = 0; c < l->columns; c++) {
        int word = width_of(l->t, c, longest_word);
        word = bine_max(word, NARROWEST);
        if (l->t->column[c].kind != BINE_COLUMN_WORDS || l->width[c] <= word ||
            (widest < l->columns && l->width[c] <= l->width[widest]))
            continue;
        widest = c;
        least = word;
    }
    if (widest == l->columns)
        return 0;
    int wanted = l->width[widest] - (total(l) - TERMINAL);
    l->width[widest] = bine_max(wanted, least);
    return 1;
}

static void fit(struct layout *l) {
    const struct bine_table *t = l->t;
    l->columns = t->columns;
    l->gap = 2;
    for (size_t c = 0; c < t->columns; c++)
        l->width[c] = width_of(t, c, whole_length);
    if (total(l) > TERMINAL)
        l->gap = 1;
    if (total(l) > TERMINAL && t->columns > 1 &&
        t->column[t->columns - 1].kind == BINE_COLUMN_WORDS) {
        l->columns--;
        l->gap = 2;
    }
    while (total(l) > TERMINAL && shrink(l)) {
    }
}

/* How much of a text fits a width, to the end of a word; the longest word always does. */
static int break_at(const char *text, int width) {
    int n = (int)strlen(text);
    if (n <= width)
        return n;
    for (n = width; n > 0 && text[n] != ' '; n--) {
    }
    return n > 0 ? n : width;
}

/* The next piece of a cell; *rest moves on to what is behind it. */
static int take(const char **rest, int width) {
    int n = break_at(*rest, width);
    *rest += n + ((*rest)[n] == ' ');
    return n;
}

/* One line of a row; 0 if all cells are empty by now. */
static int print_line(const struct layout *l) {
    int some = 0, blanks = 0;
    for (size_t c = 0; c < l->columns; c++)
        some = some || *l->rest[c] != '\0';
    for (size_t c = 0; some && c < l->columns; c++) {
        const char *text = l->rest[c];
        int n = take(&l->rest[c], l->width[c]), pad = l->width[c] - n;
        int right = l->t->column[c].kind == BINE_COLUMN_NUMBER;
        blanks += right ? pad : 0;
        if (n > 0) { /* nothing is padded behind the last word */
            printf("%*s%.*s", blanks, "", n, text);
            blanks = 0;
        }
        blanks += (right ? 0 : pad) + l->gap;
    }
    if (some)
        printf("\n");
    return some;
}

/* The last column, on lines of its own. */
static void print_below(const char *text) {
    while (*text != '\0') {
        const char *begin = text;
        int n = take(&text, TERMINAL - INDENT);
        printf("%*s%.*s\n", INDENT, "", n, begin);
    }
}

static void print_row(const struct layout *l, const char *last) {
    int lines = 0;
    while (print_line(l))
        lines++;
    if (lines == 0)
        printf("\n");
    if (l->columns < l->t->columns)
        print_below(last);
}

static int print_text(const struct bine_table *t) {
    int colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    struct layout l = {.t = t,
                       .width = malloc(t->columns * sizeof *l.width),
                       .rest = malloc(t->columns * sizeof *l.rest)};
    int good = l.width != NULL && l.rest != NULL;
    if (good) {
        fit(&l);
        for (size_t c = 0; c < t->columns; c++)
            l.rest[c] = title_of(t, c);
        printf("%s", colour ? "\033[1m" : "");
        print_row(&l, l.rest[t->columns - 1]);
        printf("%s", colour ? "\033[0m" : "");
    }
    for (size_t row = 0; good && row < t->cells; row += t->columns) {
        for (size_t c = 0; c < t->columns; c++)
            l.rest[c] = t->cell[row + c];
        print_row(&l, l.rest[t->columns - 1]);
    }
    free(l.width);
    free(l.rest);
    return good ? 0 : -1;
}

/* Quoted where RFC 4180 asks for it. */
static void print_csv_cell(const char *text, int last) {
    if (strpbrk(text, ",\"\r\n") == NULL) {
        printf("%s", text);
    } else {
        putchar('"');
        for (; *text != '\0'; text++)
            printf(*text == '"' ? "\"\"" : "%c", *text);
        putchar('"');
    }
    putchar(last ? '\n' : ',');
}

static int print_csv(const struct bine_table *t) {
    for (size_t c = 0; c < t->columns; c++)
        print_csv_cell(t->column[c].name, c + 1 == t->columns);
    for (size_t i = 0; i < t->cells; i++)
        print_csv_cell(t->cell[i], (i + 1) % t->columns == 0);
    return 0;
}

static cJSON *json_cell(const struct bine_column *column, const char *text) {
    if (column->kind == BINE_COLUMN_WORDS)
        return cJSON_CreateString(text);
    return text[0] == '\0' ? cJSON_CreateNull() : cJSON_CreateRaw(text);
}

static int print_json(const struct bine_table *t) {
    cJSON *rows = cJSON_CreateArray(), *row = NULL;
    int good = rows != NULL;
    for (size_t i = 0; i < t->cells && good; i++) {
        const struct bine_column *column = &t->column[i % t->columns];
        if (i % t->columns == 0) {
            row = cJSON_CreateObject();
            good = cJSON_AddItemToArray(rows, row);
        }
        good = good && cJSON_AddItemToObject(row, column->name, json_cell(column, t->cell[i]));
    }
    char *text = good ? cJSON_Print(rows) : NULL;
    if (text != NULL)
        printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(rows);
    return text == NULL ? -1 : 0;
}

int bine_table_print(const struct bine_table *t, enum bine_format format) {
    static int (*const printers[])(const struct bine_table *) = {print_text, print_csv, print_json};
    if (t->failed || printers[format](t) != 0)
        return bine_complain("out of memory");
    return 0;
}
