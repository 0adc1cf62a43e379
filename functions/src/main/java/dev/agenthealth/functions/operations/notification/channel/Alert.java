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
 * An alert that a message opens or closes, for receivers that keep alerts.
 *
 * <p>If a message reports problems of up to {@link NotificationMessage#MAX_ALERTS} subjects, each problem has its own alert, and its recovery
 * closes the alert. If there are more subjects, one alert stands for the message, so that a mass failure pages only once. The last recovery closes
 * it. An event that is no problem opens no alert. A test opens and closes an alert.
 *
 * @param rule the rule of the message
 * @param subject the subject of the alert
 * @param opens whether the message opens the alert; otherwise it closes the alert
 * @param problem the problem that opens the alert; empty for an alert about the whole message, and for a closed alert
 */
public record Alert(String rule, String subject, boolean opens, Optional<NotificationEntry> problem) {

    /** The sender of alerts, and the prefix of their keys. */
    public static final String SOURCE = "agent-health";

    /** Returns the alerts that a message opens and closes, in the order in which to send them. Sending an alert twice changes nothing. */
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
     * Returns the key by which the receiver recognises the alert. For the problem of one subject, it is the id of the problem, which all rules
     * share. Otherwise it is a key of the rule.
     *
     * @param maxLength the maximum number of characters
     */
    public String key(int maxLength) {
        return ProblemId.find(subject).orElseGet(() -> ofRule(maxLength));
    }

    private String ofRule(int maxLength) {
        String key = SOURCE + ":" + rule + ":" + subject;
        return key.length() <= maxLength ? key : SOURCE + ":" + HexFormat.of().formatHex(Sha256.of(key));
    }
}
