#include "cli/table.h"
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
    if (t->cells == t->room) {
        size_t room = t->room == 0 ? 64 : t->room * 2;
        char **more = realloc(t->cell, room * sizeof *more);
        if (more == NULL) {
            t->failed = 1;
            return;
        }
        t->cell = more;
        t->room = room;
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

/* The width of a column; nothing is padded behind the last one. */
static int width_of(const struct bine_table *t, size_t column) {
    size_t width = strlen(t->column[column].name);
    for (size_t i = column; i < t->cells; i += t->columns)
        width = strlen(t->cell[i]) > width ? strlen(t->cell[i]) : width;
    return (int)width;
}

static void print_padded(const struct bine_table *t, size_t column, const char *text, int width) {
    int last = column + 1 == t->columns;
    if (t->column[column].kind == BINE_COLUMN_NUMBER)
        printf("%*s", width, text);
    else
        printf("%-*s", last ? 0 : width, text);
    if (!last)
        printf("  ");
}

static int print_text(const struct bine_table *t) {
    int colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    int *width = malloc(t->columns * sizeof *width);
    if (width == NULL)
        return -1;
    printf("%s", colour ? "\033[1m" : "");
    for (size_t c = 0; c < t->columns; c++) {
        width[c] = width_of(t, c);
        print_padded(t, c, t->column[c].name, width[c]);
    }
    printf("%s\n", colour ? "\033[0m" : "");
    for (size_t i = 0; i < t->cells; i++) {
        print_padded(t, i % t->columns, t->cell[i], width[i % t->columns]);
        if ((i + 1) % t->columns == 0)
            printf("\n");
    }
    free(width);
    return 0;
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
