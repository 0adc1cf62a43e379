package dev.agenthealth.functions.operations.notification.channel;

import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.identity.Sha256;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An alert that a message opens or closes, for receivers that keep alerts. The problems of up to {@link NotificationMessage#MAX_ALERTS} subjects
 * are an alert for each of them, which its recovery closes. More are one alert for the message, so that a mass failure is one page; the recovery
 * of the last of them closes it. An event that is no problem opens none; a test opens one and closes it.
 *
 * @param rule of the message
 * @param subject what the alert is about
 * @param opens whether the message opens it; otherwise it closes it
 * @param problem the problem that opens it; empty for an alert about the whole message, and for one that is closed
 */
public record Alert(String rule, String subject, boolean opens, Optional<NotificationEntry> problem) {

    /** Who sends alerts, and how their keys begin. */
    public static final String SOURCE = "agent-health";

    /** Returns what a message opens and closes, in the order in which it is to be sent. Sending it again changes nothing. */
    public static List<Alert> of(NotificationMessage message) {
        List<Alert> alerts = new ArrayList<>();
        if (message.test()) {
            String test = "test:" + message.messageId();
            alerts.add(new Alert(message.rule(), test, true, Optional.empty()));
            alerts.add(new Alert(message.rule(), test, false, Optional.empty()));
            return alerts;
        }
        Set<String> closed = new LinkedHashSet<>(message.ended());
        if (!message.isGroup()) {
            closed.removeAll(message.problems().keySet());
        }
        closed.forEach(subject -> alerts.add(new Alert(message.rule(), subject, false, Optional.empty())));
        if (!message.isGroup()) {
            message.problems()
                    .forEach((subject, entry) ->
                            alerts.add(new Alert(message.rule(), subject, true, Optional.of(entry))));
        } else if (message.open() > 0) {
            String group = NotificationMessage.groupAlert(message.messageId());
            alerts.add(new Alert(message.rule(), group, true, Optional.empty()));
        }
        return alerts;
    }

    /**
     * Returns the key by which the receiver knows the alert again, of at most so many characters: the id of the subject's problem, which is the same for all
     * rules, or a key of the rule's own for what is no problem of one subject.
     */
    public String key(int maxLength) {
        return ProblemId.find(subject).orElseGet(() -> ofRule(maxLength));
    }

    private String ofRule(int maxLength) {
        String key = SOURCE + ":" + rule + ":" + subject;
        return key.length() <= maxLength ? key : SOURCE + ":" + HexFormat.of().formatHex(Sha256.of(key));
    }
}
