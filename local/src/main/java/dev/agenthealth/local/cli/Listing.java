package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParameterException;

/**
 * A list of the API with its columns. It prints a table, more columns, JSON or the names alone, as {@link ListOptions} say. Not thread-safe.
 */
final class Listing {

    /** The number of rows that are printed together, with columns of the same width. */
    private static final int PAGE = 1_000;

    private final Terminal terminal;
    private final String name;
    private final Instant now = Instant.now();
    private final List<Column> columns = new ArrayList<>();

    /**
     * A column.
     *
     * @param key the value to sort by: a number or a text
     * @param wide true if only a wide table shows it
     */
    private record Column(
            String title, Function<JsonNode, String> text, Function<JsonNode, String> key, boolean wide) {}

    /** @param name the member of the JSON with the rows */
    Listing(Terminal terminal, String name) {
        this.terminal = terminal;
        this.name = name;
    }

    /** Adds a column with the text of a field; "-" if the field is absent. */
    Listing field(String title, String field) {
        return column(title, row -> row.path(field).asText("-"));
    }

    Listing column(String title, Function<JsonNode, String> text) {
        return column(title, text, text);
    }

    /**
     * Adds a column that is sorted by other values than its texts.
     *
     * @param key returns a number or a text; empty without a value, which comes last in both directions
     */
    Listing column(String title, Function<JsonNode, String> text, Function<JsonNode, String> key) {
        columns.add(new Column(title, text, key, false));
        return this;
    }

    /** Adds a column with the distance of a moment from now: "5 min ago", "in 2 h". */
    Listing time(String title, String field) {
        columns.add(new Column(
                title,
                row -> Text.moment(row.path(field).asText(""), now),
                row -> row.path(field).asText(""),
                false));
        return this;
    }

    /** Adds a column that only a wide table shows. */
    Listing wide(String title, Function<JsonNode, String> text) {
        columns.add(new Column(title, text, text, true));
        return this;
    }

    /**
     * Prints rows.
     *
     * @param none the message for people if there is no row
     * @return the exit status
     * @throws ParameterException if there is no column to sort by
     * @throws Terminal.OutputClosedException if the reader of the output has closed the pipe
     */
    int print(ListOptions options, Stream<JsonNode> rows, String none) {
        Iterator<JsonNode> ordered = ordered(options, rows).iterator();
        if (options.isJson()) {
            printJson(ordered);
        } else if (!ordered.hasNext()) {
            terminal.errors().println(none);
        } else if (options.isQuiet()) {
            while (ordered.hasNext()) {
                terminal.out().println(Text.plain(columns.get(0).text().apply(ordered.next())));
                terminal.checkOutput();
            }
        } else {
            printTables(options.isWide(), ordered);
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Prints rows as a table of the usual columns. */
    void print(List<JsonNode> rows) {
        printTables(false, rows.iterator());
        terminal.checkOutput();
    }

    /** Checks the order of the rows before a request is sent. */
    Listing check(ListOptions options) {
        if (options.isSorted()) {
            sortColumn(options);
        }
        return this;
    }

    private Column sortColumn(ListOptions options) {
        return columns.stream()
                .filter(column ->
                        column.title().equalsIgnoreCase(options.sortColumn().replace('_', ' ')))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        options.spec().commandLine(),
                        "--sort must be a column: "
                                + columns.stream().map(Column::title).collect(Collectors.joining(", "))));
    }

    /** Returns rows in the order of the options. Rows without a value come last in both directions. */
    Stream<JsonNode> ordered(ListOptions options, Stream<JsonNode> rows) {
        if (!options.isSorted()) {
            return rows;
        }
        Function<JsonNode, String> key = sortColumn(options).key();
        Comparator<JsonNode> order = Comparator.comparing(key, Listing::compare);
        Comparator<JsonNode> absentLast = Comparator.comparing(row -> isAbsent(key.apply(row)));
        return rows.sorted(absentLast.thenComparing(options.isDescending() ? order.reversed() : order));
    }

    private static boolean isAbsent(String key) {
        return key.isEmpty() || key.equals("-");
    }

    /** Compares numbers by their value, and other texts by their letters. Numbers come first. */
    private static int compare(String a, String b) {
        boolean number = isNumber(a);
        if (number != isNumber(b)) {
            return number ? -1 : 1;
        }
        return number ? new BigDecimal(a).compareTo(new BigDecimal(b)) : a.compareToIgnoreCase(b);
    }

    private static boolean isNumber(String text) {
        return text.matches("-?[0-9]{1,30}([.][0-9]{1,30})?");
    }

    private void printJson(Iterator<JsonNode> rows) {
        terminal.out().print("{\"" + name + "\":[");
        for (String separator = ""; rows.hasNext(); separator = ",") {
            terminal.out().print(separator + System.lineSeparator() + Text.json(rows.next()));
            terminal.checkOutput();
        }
        terminal.out().println("]}");
    }

    private void printTables(boolean wide, Iterator<JsonNode> rows) {
        List<Column> shown =
                columns.stream().filter(column -> wide || !column.wide()).toList();
        while (rows.hasNext()) {
            Table table = new Table(
                    new Text(terminal), shown.stream().map(Column::title).toArray(String[]::new));
            for (int row = 0; row < PAGE && rows.hasNext(); row++) {
                JsonNode cells = rows.next();
                table.row(shown.stream()
                        .map(column -> Text.plain(column.text().apply(cells)))
                        .toArray(String[]::new));
            }
            table.print(terminal);
        }
    }
}
