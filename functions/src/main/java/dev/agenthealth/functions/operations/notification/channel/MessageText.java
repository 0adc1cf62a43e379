package dev.agenthealth.functions.operations.notification.channel;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.Comparator;
import java.util.function.UnaryOperator;

/** The texts that channels share. */
public final class MessageText {

    private static final int MAX_LINE = 180;

    /** The maximum length of the line that counts further events. */
    private static final int MAX_MORE = 50;

    private MessageText() {}

    /** Returns one line about the message. For several events, it has their number and the most severe event. */
    public static String title(NotificationMessage message) {
        if (message.test()) {
            return "Test of the notification rule " + oneLine(message.rule());
        }
        if (message.total() == 1 && message.entries().size() == 1) {
            return oneLine(message.entries().get(0).summary());
        }
        String what = message.recovery() ? " recoveries" : " events";
        String worst = message.entries().stream()
                .min(Comparator.comparing(NotificationEntry::severity))
                .map(entry -> ": " + oneLine(entry.summary()))
                .orElse("");
        return message.total() + what + worst;
    }

    /** Returns one line about an event. */
    public static String line(NotificationEntry entry) {
        return "[" + label(entry) + "] " + oneLine(entry.summary());
    }

    /** Returns the number of events that the message does not show, as a line; empty if it shows all. */
    public static String more(NotificationMessage message, int shown) {
        int more = message.total() - shown;
        return more > 0 && !message.test() ? "and " + more + " more" : "";
    }

    /** Returns the worst severity of the message's problems; {@code info} if all are recoveries. */
    public static Severity severity(NotificationMessage message) {
        return message.entries().stream()
                .filter(entry -> !entry.recovery())
                .map(NotificationEntry::severity)
                .min(Comparator.naturalOrder())
                .orElse(Severity.INFO);
    }

    /**
     * Returns the title and a line for each event, as many lines as fit into {@code max} UTF-16 units.
     *
     * @param escaped returns a text in a form that the receiver shows unchanged
     * @param link returns an address as the end of a line
     */
    public static String text(
            NotificationMessage message, int max, UnaryOperator<String> escaped, UnaryOperator<String> link) {
        StringBuilder text = new StringBuilder(escaped.apply(cut(title(message), MAX_LINE)));
        int shown = 0;
        for (NotificationEntry entry : message.entries()) {
            String line = escaped.apply(cut(line(entry), MAX_LINE))
                    + message.link(entry).map(link).orElse("");
            if (text.length() + 1 + line.length() > max - MAX_MORE) {
                break;
            }
            text.append('\n').append(line);
            shown++;
        }
        String more = more(message, shown);
        return more.isEmpty() ? text.toString() : text + "\n" + more;
    }

    /** Returns the severity of an event as a word, or {@code recovered}. */
    public static String label(NotificationEntry entry) {
        return entry.recovery() ? "recovered" : entry.severity().wireName();
    }

    /** Returns the text without line breaks and other control characters. */
    public static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    /**
     * Returns the beginning of a text, with an ellipsis if the text is longer.
     *
     * @param max the maximum number of UTF-16 units
     */
    public static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
        return text.substring(0, end) + "…";
    }
}
