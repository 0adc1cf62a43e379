package dev.agenthealth.model.event;

import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.SharedUsageChange;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageState;

/** The events about limits that the agents of a role or an owner share. They name no agent. */
public final class UsageEvents {

    private UsageEvents() {}

    /** Returns the event of a change of the used part of a limit. */
    public static Event of(SharedUsageChange change) {
        LimitHolder holder = change.holder();
        UsageLevel level = change.levelAfter();
        EventDetail detail = new EventDetail(EventType.SHARED_USAGE, EventSeverity.of(level))
                .with("holder", holder.kind().wireName())
                .with(holder.kind() == LimitHolder.Kind.ROLE ? "role_id" : "key_id", holder.id())
                .with("level", level.wireName())
                .with("previous_level", change.levelBefore().wireName())
                .with("limit", change.limit().wireName());
        change.after().filter(usage -> level != UsageLevel.NONE).ifPresent(usage -> with(detail, usage.state()));
        return detail.ofRegistry(
                "registry:" + EventType.SHARED_USAGE.slug() + ":" + holder.text() + ":"
                        + change.at().toEpochMilli(),
                change.at());
    }

    private static void with(EventDetail detail, UsageState state) {
        detail.with("used", state.used()).with("maximum", state.maximum()).with("until", state.until());
    }
}
