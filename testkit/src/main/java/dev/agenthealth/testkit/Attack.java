package dev.agenthealth.testkit;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One run of a test that attacks the system, in a short form by default and in a long form with {@code mvn -Pattack verify}. The long form writes
 * its figures into {@code docs/reliability}, a file for each attack.
 */
public final class Attack {

    /** The tag of the tests that {@code mvn -Pattack verify} runs. */
    public static final String TAG = "attack";

    /** The folder within {@code docs} with the figures of the last long runs. */
    public static final String FIGURES = "reliability";

    private static final boolean LONG = "long".equals(System.getProperty("attack.form"));
    private static final String SEED = "attack.seed";

    /** The short form tries the same in each build, so that what it finds comes from the change that is built. */
    private static final long SEED_OF_SHORT_FORM = 1;

    private final String name;
    private final long seed;
    private final Clock clock;
    private final Instant start;
    private final Map<String, Long> figures = new LinkedHashMap<>();

    private Attack(String name, long seed, Clock clock) {
        this.name = name;
        this.seed = seed;
        this.clock = clock;
        this.start = clock.instant();
    }

    /**
     * Starts an attack and prints its seed.
     *
     * @param name that of its file of figures, such as {@code lifecycle-schedules}
     */
    public static Attack begin(String name) {
        long unlessGiven = LONG ? new SecureRandom().nextLong() : SEED_OF_SHORT_FORM;
        Attack attack = new Attack(name, Long.getLong(SEED, unlessGiven), Clock.systemUTC());
        System.out.printf("%s: repeat with -D%s=%d%n", name, SEED, attack.seed);
        return attack;
    }

    /** True in the long form. */
    public static boolean isLong() {
        return LONG;
    }

    /** Returns the size for the form of this run. */
    public static int size(int shortForm, int longForm) {
        return LONG ? longForm : shortForm;
    }

    /** Returns the number from which everything random of this run follows: that of {@code -Dattack.seed}, else a new one in the long form. */
    public long seed() {
        return seed;
    }

    /** Adds a figure, in the order of the page. */
    public Attack figure(String what, long value) {
        figures.put(what, value);
        return this;
    }

    /** Prints the figures, and writes them into {@link #FIGURES} in the long form. */
    public void end() {
        figure("minutes", Duration.between(start, clock.instant()).toMinutes());
        System.out.println(name + ": " + figures);
        if (LONG) {
            String lines = figures.entrySet().stream()
                    .map(figure -> figure.getKey() + "\t" + figure.getValue() + "\n")
                    .collect(Collectors.joining());
            String date = LocalDate.ofInstant(start, ZoneOffset.UTC).toString();
            ProjectFiles.write(
                    ProjectFiles.path("docs").resolve(FIGURES).resolve(name + ".tsv"),
                    "date\t%s\n%s".formatted(date, lines));
        }
    }
}
