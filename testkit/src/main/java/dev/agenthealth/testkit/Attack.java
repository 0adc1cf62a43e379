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
 * A run of a test that attacks the system: short by default, long with {@code mvn -Pattack verify}. The long form writes its figures into
 * {@code docs/reliability}, in one file per attack.
 */
public final class Attack {

    /** The tag of the tests that {@code mvn -Pattack verify} runs. */
    public static final String TAG = "attack";

    /** The folder within {@code docs} with the figures of the last long runs. */
    public static final String FIGURES = "reliability";

    private static final boolean LONG = "long".equals(System.getProperty("attack.form"));
    private static final String SEED = "attack.seed";

    /** The seed of the short form. It is constant, so that a failure comes from the change under test. */
    private static final long SHORT_FORM_SEED = 1;

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
     * @param name the name of the file of figures, such as {@code lifecycle-schedules}
     */
    public static Attack begin(String name) {
        long unlessGiven = LONG ? new SecureRandom().nextLong() : SHORT_FORM_SEED;
        Attack attack = new Attack(name, Long.getLong(SEED, unlessGiven), Clock.systemUTC());
        System.out.printf("%s: repeat with -D%s=%d%n", name, SEED, attack.seed);
        return attack;
    }

    /** Returns true in the long form. */
    public static boolean isLong() {
        return LONG;
    }

    /** Returns the size for the form of this run. */
    public static int size(int shortForm, int longForm) {
        return LONG ? longForm : shortForm;
    }

    /** Returns the seed of this run's random numbers: {@code -Dattack.seed} if set, otherwise a new seed in the long form. */
    public long seed() {
        return seed;
    }

    /** Adds a figure; figures keep their order. */
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
