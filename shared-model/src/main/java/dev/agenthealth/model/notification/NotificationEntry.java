package dev.agenthealth.model.notification;

import java.time.Instant;

/**
 * One event as a message shows it.
 *
 * @param eventId of the event: every delivery of the same event carries the same id
 * @param detailType of the event
 * @param severity of the event itself
 * @param agentId the agent it happened to; empty where there is none
 * @param roleId the role that it concerns; empty where there is none
 * @param at when the registry detected it
 * @param from the status before; empty where the event has none
 * @param to the status after; empty where the event has none
 * @param summary what happened, in one sentence
 * @param subject what a recovery refers to: the problem and the recovery of the same thing have the same text, such as {@code agent:agent_1}
 * @param recovery whether the event says that a problem of the subject is over
 */
public record NotificationEntry(
        String eventId,
        String detailType,
        Severity severity,
        String agentId,
        String roleId,
        Instant at,
        String from,
        String to,
        String summary,
        String subject,
        boolean recovery) {}
