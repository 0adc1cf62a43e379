package dev.agenthealth.local.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds mistyped environment variables, whose names are close to a variable of Agent Health. Without a warning, {@code AGENT_HEALTH_DATADIR} would
 * leave the data temporary.
 */
final class MistypedVariables {

    private static final String PREFIX = "AGENT_HEALTH_";

    /** The maximum number of letters to insert, remove or replace, so that a name counts as near. */
    private static final int MAX_DISTANCE = 3;

    /** The variables of clients and scripts. Options of the command line have their own variables. */
    private static final List<String> OTHERS = List.of(
            "ADMIN_KEY",
            "KEY",
            "TOKEN_FILE",
            "SMTP_PASSWORD",
            "AGENT_ID",
            "ROLE_ID",
            "NAME",
            "INSTANCE",
            "CAPABILITIES",
            "INTERVAL_SECONDS",
            "PROFILE",
            "WATCH",
            "WATCH_PORT",
            "WATCH_FILE",
            "WATCH_MAX_AGE_SECONDS",
            "WATCH_PID",
            "ON_DRAIN",
            "ON_EXIT",
            "REGISTER_AGAIN",
            "VERBOSE",
            "DRAIN_REASON",
            "DRAIN_TIMEOUT_SECONDS",
            "PID",
            "PING_URL");

    private final Set<String> known = new TreeSet<>();

    MistypedVariables() {
        OTHERS.forEach(name -> known.add(PREFIX + name));
        known.addAll(EnvironmentDefaults.variables());
    }

    /** Returns a warning for each name that is near to a variable, in the order of the names. */
    List<String> warnings(Set<String> names) {
        return names.stream()
                .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
                .sorted()
                .flatMap(name -> nearest(name).map(near -> warning(name, near)).stream())
                .toList();
    }

    private static String warning(String name, String near) {
        return "Warning: " + Text.plain(name) + " is no variable of Agent Health and is ignored. Is " + near
                + " meant?";
    }

    private Optional<String> nearest(String name) {
        Stream<String> near = known.stream()
                .filter(candidate -> Math.abs(candidate.length() - name.length()) <= MAX_DISTANCE
                        && distance(candidate, name)
                                <= Math.min(MAX_DISTANCE, (candidate.length() - PREFIX.length()) / 2));
        return near.min(Comparator.comparingInt(candidate -> distance(candidate, name)));
    }

    /** Returns the Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
