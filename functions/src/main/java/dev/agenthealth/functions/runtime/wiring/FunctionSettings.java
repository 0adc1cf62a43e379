package dev.agenthealth.functions.runtime.wiring;

import static dev.agenthealth.functions.runtime.wiring.Setting.flag;
import static dev.agenthealth.functions.runtime.wiring.Setting.number;
import static dev.agenthealth.functions.runtime.wiring.Setting.text;

import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;

/**
 * The environment variables of the functions. {@code template.yaml} sets most of them; the run on one machine adds the others. A function
 * fails to start if a required variable is missing.
 */
public final class FunctionSettings {

    public static final Setting<String> STACK_NAME = text("STACK_NAME", "name of the stack, in log lines and metrics");

    public static final Setting<Integer> LOG_SAMPLE_ONE_IN =
            number("LOG_SAMPLE_ONE_IN", 1, Integer.MAX_VALUE, "one in so many accepted heartbeats has a log line");

    public static final Setting<String> PULSES_TABLE = text("PULSES_TABLE", "name of the table of pulses");

    public static final Setting<String> REGISTRY_TABLE = text("REGISTRY_TABLE", "name of the table of the registry");

    public static final Setting<Integer> MARK_PARTITIONS =
            number("MARK_PARTITIONS", 8, 128, "partitions of the agents whose health is due");

    public static final Setting<Integer> EVENT_RETENTION_DAYS =
            number("EVENT_RETENTION_DAYS", 30, 365, "days for which events can be read");

    public static final Setting<Integer> AUDIT_RETENTION_DAYS =
            number("AUDIT_RETENTION_DAYS", 90, 3_650, "days for which the audit log keeps an entry");

    public static final Setting<String> ADMIN_KEY_SHA256 =
            text("ADMIN_KEY_SHA256", "SHA-256 hash of the administrator's API key");

    public static final Setting<String> ORIGIN_SECRET_SHA256 = text(
                    "ORIGIN_SECRET_SHA256",
                    "SHA-256 hash of the secret that a proxy sends with each request; without it, every request is accepted")
            .or("");

    public static final Setting<String> PUBLIC_URL =
            text("PUBLIC_URL", "address of the API in messages and documents; without it, the address of the request");

    public static final Setting<String> DEFAULT_URL = text(
                    "DEFAULT_URL", "address that AWS gives to the API, if another address is in use too")
            .or("");

    public static final Setting<String> HEARTBEAT_URL = text(
                    "HEARTBEAT_URL", "address for heartbeats alone, which agents learn as `heartbeat_url`")
            .or("");

    public static final Setting<String> SELF_CHECK_PUBLIC_URL = text(
                    "SELF_CHECK_PUBLIC_URL", "address of the API for the self-check, instead of `PUBLIC_URL`")
            .or("");

    public static final Setting<String> SELF_CHECK_HEARTBEAT_URL = text(
                    "SELF_CHECK_HEARTBEAT_URL", "address for heartbeats of the self-check, instead of `HEARTBEAT_URL`")
            .or("");

    /** API Gateway and Lambda's Java runtime do not stream. */
    public static final Setting<Boolean> STREAMS = flag(
                    "STREAMS", "whether the process sends each part of a response when the function writes it")
            .or(false);

    /** Most tests turn it off, because they count other writes. */
    public static final Setting<Boolean> NOTE_KEY_USES =
            flag("NOTE_KEY_USES", "whether the uses of API keys are recorded");

    public static final Setting<Integer> HEARTBEAT_STRETCH_PERCENT = number(
            "HEARTBEAT_STRETCH_PERCENT",
            HeartbeatSchedule.MIN_STRETCH_PERCENT,
            HeartbeatSchedule.MAX_STRETCH_PERCENT,
            "interval at which agents are asked to send heartbeats, in percent of the declared interval");

    public static final Setting<Integer> WATCH_MIN_INTERVAL_SECONDS = number(
                    "WATCH_MIN_INTERVAL_SECONDS", 1, 60, "the interval of a watch is a multiple of so many seconds")
            .or(60);

    public static final Setting<Boolean> ALLOW_LOOPBACK_ENDPOINTS = flag(
                    "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "whether agents on the same machine may be called")
            .or(false);

    public static final Setting<Integer> ACCOUNT_CONCURRENCY = number(
            "ACCOUNT_CONCURRENCY",
            10,
            1_000_000,
            "concurrent executions of the account; half of them may be invocations");

    public static final Setting<String> INVOCATION_QUEUE_URL =
            text("INVOCATION_QUEUE_URL", "queue of asynchronous invocations");

    public static final Setting<String> SECRETS_KEY_ARN =
            text("SECRETS_KEY_ARN", "KMS key that encrypts stored secrets");

    public static final Setting<String> SECRETS_LOCAL_KEY =
            text("SECRETS_LOCAL_KEY", "256-bit key in base64 that encrypts stored secrets, instead of a KMS key");

    public static final Setting<String> CARD_KEY_ARN =
            text("CARD_KEY_ARN", "KMS key that signs agent cards; without a key, cards are not signed");

    public static final Setting<String> CARD_LOCAL_KEY =
            text("CARD_LOCAL_KEY", "private JSON Web Key that signs agent cards, instead of a KMS key");

    public static final Setting<String> EVENT_BUS = text("EVENT_BUS", "name of the event bus");

    public static final Setting<Integer> SWEEP_PERIOD_SECONDS =
            number("SWEEP_PERIOD_SECONDS", 1, 60, "seconds between two starts of the sweep");

    /** On servers, other instances receive heartbeats before an instance starts. */
    public static final Setting<Boolean> START_FOLLOWS_OUTAGE = flag(
                    "START_FOLLOWS_OUTAGE", "whether nothing received heartbeats before the process started")
            .or(false);

    public static final Setting<Boolean> MEASURED_CLOCK = flag(
                    "MEASURED_CLOCK",
                    "whether this machine's clock writes all times, so that the sweep measures its steps")
            .or(false);

    public static final Setting<String> PROBE_FUNCTION =
            text("PROBE_FUNCTION", "function that the sweep invokes if probes are due");

    public static final Setting<String> PROBE_QUEUE_URL = text("PROBE_QUEUE_URL", "queue of probes");

    public static final Setting<String> NOTIFICATION_FUNCTION =
            text("NOTIFICATION_FUNCTION", "function that the sweep invokes if notifications are due");

    public static final Setting<String> NOTIFICATION_QUEUE_URL =
            text("NOTIFICATION_QUEUE_URL", "queue of notifications");

    public static final Setting<String> NOTIFICATION_DEAD_LETTERS_URL =
            text("NOTIFICATION_DEAD_LETTERS_URL", "dead-letter queue of notifications");

    public static final Setting<String> NOTIFICATION_TOPIC_ARN = text(
                    "NOTIFICATION_TOPIC_ARN",
                    "SNS topic of notifications by e-mail; without it, the mail server sends them")
            .or("");

    private FunctionSettings() {}
}
