package dev.agenthealth.local.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in columns as wide as their widest cell. Not thread-safe. */
final class Table {

    private static final String GAP = "  ";

    private final Text text;
    private final List<String> titles;
    private final List<List<String>> rows = new ArrayList<>();

    Table(Text text, String... titles) {
        this.text = text;
        this.titles = List.of(titles);
    }

    /** Adds a row with a cell for each column. */
    void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** Prints the titles and the rows. */
    void print(Terminal terminal) {
        int[] widths = new int[titles.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = titles.get(column).length();
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        StringBuilder heading = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            heading.append(Text.pad(titles.get(column), widths[column])).append(GAP);
        }
        terminal.out().println(text.bold(heading.toString().stripTrailing()));
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                boolean last = column == widths.length - 1;
                line.append(text.word(row.get(column), last ? 1 : widths[column]))
                        .append(last ? "" : GAP);
            }
            terminal.out().println(line.toString().stripTrailing());
            terminal.checkOutput();
        }
    }
}
