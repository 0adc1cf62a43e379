package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.WireNamed;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reason of a block that a used up limit wrote. Its text is the reason of the block, such as {@code Limit tokens_per_hour of role coder: 1100 of
 * 1000.}
 *
 * @param limit the limit
 * @param holder the name of the role or owner that shares the limit; empty for the agent's own limit
 */
public record LimitReason(UsageLimit limit, String holder) {

    private static final String OF = " of ";
    private static final Pattern TEXT =
            Pattern.compile("Limit ([a-z_]+)(?: of ((?:role|owner) .+))?: [0-9]+ of [0-9]+\\.");
    private static final String OWN = "agent";

    /** Returns the reason of a block by the agent's own limit. */
    public static LimitReason own(UsageLimit limit) {
        return new LimitReason(limit, "");
    }

    /** Returns the reason of a block by the limit that the agents of a role or an owner share. */
    public static LimitReason shared(UsageLimit limit, LimitHolder holder) {
        return new LimitReason(limit, holder.name());
    }

    /** Returns the reason in a text; empty for any other text. */
    public static Optional<LimitReason> of(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? WireNamed.find(UsageLimit.class, matcher.group(1))
                        .map(limit -> new LimitReason(
                                limit, Optional.ofNullable(matcher.group(2)).orElse("")))
                : Optional.empty();
    }

    /** Returns the text of the reason. */
    public String text(UsageState state) {
        return "Limit " + limit.wireName() + (holder.isEmpty() ? "" : OF + holder) + ": " + state.used() + OF
                + state.maximum() + ".";
    }

    /** Returns who shares the limit: {@code agent}, {@code role} or {@code owner}. */
    public String scope() {
        return holder.isEmpty() ? OWN : holder.substring(0, holder.indexOf(' '));
    }

    /** Returns the limit for people, such as {@code its limit tokens_per_hour}. It does not name the role or the owner. */
    public String sentence() {
        return holder.isEmpty()
                ? "its limit " + limit.wireName()
                : "the limit " + limit.wireName() + " of its " + scope();
    }
}
