package dev.agenthealth.local.endurance;

import dev.agenthealth.testkit.ProjectFiles;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The chart of a long run: what the process and its data hold, a line each, with the thirds of the time. */
final class EnduranceChart {

    private static final int WIDTH = 720;
    private static final int PANEL = 110;
    private static final int LEFT = 150;
    private static final int RIGHT = 90;
    private static final int HEIGHT_OF_LINE = 70;

    private static final List<String> SHOWN = List.of("heap KB", "threads", "file handles", "data KB", "rows");

    private EnduranceChart() {}

    static void write(List<Map<String, Long>> samples) {
        ProjectFiles.write(ProjectFiles.path("docs/images").resolve("endurance.svg"), text(samples));
    }

    /** Returns the chart as SVG, readable on a light and on a dark page. */
    static String text(List<Map<String, Long>> samples) {
        String panels = IntStream.range(0, SHOWN.size())
                .mapToObj(i -> panel(SHOWN.get(i), i * PANEL + 20, samples))
                .collect(Collectors.joining());
        String thirds = IntStream.rangeClosed(1, 2)
                .mapToObj(i -> {
                    int x = LEFT + i * (WIDTH - LEFT - RIGHT) / 3;
                    return """
                            <line class="third" x1="%d" y1="10" x2="%d" y2="%d"/>\n\
                            """
                            .formatted(x, x, SHOWN.size() * PANEL);
                })
                .collect(Collectors.joining());
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="What a registry holds over three years of churn">
                <style>
                  text { font: 13px sans-serif; fill: #57606a } .line { fill: none; stroke: #0969da; stroke-width: 1.5 }
                  .third, .zero { stroke: #8c959f; stroke-width: 1 } .third { stroke-dasharray: 3 4 }
                  @media (prefers-color-scheme: dark) { text { fill: #9198a1 } .line { stroke: #4493f8 } }
                </style>
                %s%s</svg>
                """
                .formatted(WIDTH, SHOWN.size() * PANEL + 10, thirds, panels);
    }

    private static String panel(String name, int top, List<Map<String, Long>> samples) {
        long most = Math.max(
                1,
                samples.stream()
                        .mapToLong(sample -> sample.getOrDefault(name, 0L))
                        .max()
                        .orElse(1));
        double step = (double) (WIDTH - LEFT - RIGHT) / Math.max(1, samples.size() - 1);
        String points = IntStream.range(0, samples.size())
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        LEFT + i * step,
                        top
                                + HEIGHT_OF_LINE
                                - HEIGHT_OF_LINE * (double) samples.get(i).getOrDefault(name, 0L) / most))
                .collect(Collectors.joining(" "));
        long last = samples.get(samples.size() - 1).getOrDefault(name, 0L);
        return String.format(
                Locale.ROOT,
                """
                        <text x="10" y="%d">%s</text>%n<line class="zero" x1="%d" y1="%d" x2="%d" y2="%d"/>%n<polyline class="line" points="%s"/>%n<text x="%d" y="%d">%,\
                        d</text>%n\
                        """,
                top + HEIGHT_OF_LINE / 2,
                name.replace(" KB", ", KB"),
                LEFT,
                top + HEIGHT_OF_LINE,
                WIDTH - RIGHT,
                top + HEIGHT_OF_LINE,
                points,
                WIDTH - RIGHT + 8,
                top + 12,
                last);
    }
}
