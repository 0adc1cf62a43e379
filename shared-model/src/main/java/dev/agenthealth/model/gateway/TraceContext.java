package dev.agenthealth.model.gateway;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace that an invocation belongs to (W3C Trace Context). The gateway passes it to the agent unchanged, as it adds no span.
 *
 * @param parent the header {@code traceparent} in version 00; empty without a trace
 * @param state the header {@code tracestate}; may be empty
 */
public record TraceContext(String parent, String state) {

    /** The context of an invocation without a trace. */
    public static final TraceContext NONE = new TraceContext("", "");

    /** The maximum length of the state. Vendors must propagate 512 characters, and may drop a longer state. */
    private static final int MAX_STATE = 512;

    private static final Pattern STATE = Pattern.compile("[ -~\t]*");

    /** The form of {@code traceparent}. A later version may add fields at the end. */
    private static final Pattern PARENT = Pattern.compile(
            "(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", Pattern.DOTALL);

    /** Returns the context in the headers of a request; {@link #NONE} if {@code traceparent} is missing or invalid, as the standard demands. */
    public static TraceContext of(String traceparent, String tracestate) {
        Matcher form = PARENT.matcher(traceparent.strip());
        if (!form.matches() || form.group(1).equals("00") && form.group(5) != null) {
            return NONE;
        }
        // For a later version, only the flag of version 00 is known: whether the caller samples.
        int sampled = Integer.parseInt(form.group(4), 16) & 1;
        String flags = form.group(1).equals("00") ? form.group(4) : "0" + sampled;
        String state = tracestate.strip();
        boolean keepsState = state.length() <= MAX_STATE && STATE.matcher(state).matches();
        return new TraceContext("00-" + form.group(2) + "-" + form.group(3) + "-" + flags, keepsState ? state : "");
    }

    /** Returns whether there is no trace. */
    public boolean isNone() {
        return parent.isEmpty();
    }

    /** Returns the id of the trace, 32 hexadecimal digits; empty without a trace. */
    public String traceId() {
        return isNone() ? "" : parent.substring(3, 35);
    }

    /** Returns the headers for a request that belongs to the trace. */
    public Map<String, String> headers() {
        if (isNone()) {
            return Map.of();
        }
        return state.isEmpty() ? Map.of("traceparent", parent) : Map.of("traceparent", parent, "tracestate", state);
    }
}
