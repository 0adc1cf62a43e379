package dev.agenthealth.functions.notification.delivery;

import dev.agenthealth.model.notification.NotificationEntry;
import dev.agenthealth.model.notification.NotificationMessage;
import java.util.Comparator;
import java.util.List;

/** The texts that Slack, PagerDuty and e-mail have in common. */
final class Headline {

    /** From the worst to the mildest. */
    private static final List<String> SEVERITIES = List.of("critical", "error", "warning", "info");

    private Headline() {}

    /** One line that says what the message is about: of several events, how many they are and the most severe one. */
    static String of(NotificationMessage message) {
        if (message.test()) {
            return "Test of the notification rule " + oneLine(message.rule());
        }
        if (message.total() == 1 && message.entries().size() == 1) {
            return oneLine(message.entries().get(0).summary());
        }
        String what = message.recovery() ? " recoveries" : " events";
        String worst = message.entries().stream()
                .min(Comparator.comparingInt(entry -> SEVERITIES.indexOf(severity(entry))))
                .map(entry -> ": " + oneLine(entry.summary()))
                .orElse("");
        return message.total() + what + worst;
    }

    /** One line for an event. */
    static String line(NotificationEntry entry) {
        String severity = entry.recovery() ? "recovered" : entry.severity();
        return "[" + severity + "] " + oneLine(entry.summary());
    }

    /** How many events the message stands for besides those shown; empty where all are shown. */
    static String more(NotificationMessage message, int shown) {
        int more = message.total() - shown;
        return more > 0 && !message.test() ? "and " + more + " more" : "";
    }

    /** The worst severity of the message's problems; {@code info} where all are recoveries. */
    static String severity(NotificationMessage message) {
        return message.entries().stream()
                .filter(entry -> !entry.recovery())
                .map(Headline::severity)
                .min(Comparator.comparingInt(SEVERITIES::indexOf))
                .orElse("info");
    }

    /** The severity of an entry, one of the four words. */
    static String severity(NotificationEntry entry) {
        return SEVERITIES.contains(entry.severity()) ? entry.severity() : "warning";
    }

    /** The text without line breaks and other control characters. */
    static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    /** The beginning of a text, of at most so many UTF-16 units, with an ellipsis where something is missing. */
    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
        return text.substring(0, end) + "…";
    }
}
