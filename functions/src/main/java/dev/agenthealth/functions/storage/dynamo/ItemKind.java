package dev.agenthealth.functions.storage.dynamo;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every kind of item in the registry table, with the forms of its keys. */
public enum ItemKind {
    /** Profile of an agent. */
    PROFILE("A#{agent}", "P"),
    /** Metadata of an agent, apart from the profile: lists read profiles and never metadata. */
    METADATA("A#{agent}", "M"),
    /** Task ids that an agent reports as in progress. */
    TASKS("A#{agent}", "W"),
    /** Pulse of an archived or erased agent. */
    TOMBSTONE("A#{agent}", "T"),
    /** Event of an agent (outbox). */
    AGENT_EVENT("A#{agent}", "E#{sequence}"),
    /** Pointer from an agent to a lease that has not ended. */
    LEASE_POINTER("A#{agent}", "L#{lease}"),
    /** Outcomes of a slice of time, {@code width} seconds wide. */
    SLICE("A#{agent}", "O#{start}#{width}#{part}"),
    /** Arrival of a batch whose outcomes carry no time. */
    BATCH_ARRIVAL("A#{agent}", "B#{hash}"),
    /** Tokens and calls of an agent in one hour. */
    USAGE_HOUR("A#{agent}", "4H#{hour}"),
    /** Tokens and calls of an agent on one day. */
    USAGE_DAY("A#{agent}", "4D#{day}"),
    /** A part of the tokens and calls of a role, an owner or the fleet in one hour or on one day. */
    USAGE_TOTAL("USAGE#{scope}#{period}", "{subject}#{shard}"),
    /** The closed slices of two windows, compact. */
    CLOSED_SLICES("A#{agent}", "R"),
    /** Health as last computed, and when it is due to be computed again. */
    HEALTH("A#{agent}", "H"),
    /** Health at one hour. */
    HISTORY_POINT("A#{agent}", "Y#{hour}"),
    /** States of an agent on a day on which they changed. */
    AGENT_DAY("A#{agent}", "Z#{day}"),
    /** Decision of operators to block calls of an agent, or to allow them. */
    AGENT_BLOCK("A#{agent}", "X"),
    /** Permission of a key to use a task of an agent through the gateway. */
    TASK_ACCESS("A#{agent}", "J#{hash}"),
    /** Configuration of the gateway's notifications of a task of an agent. */
    PUSH("A#{agent}", "S#C#{push}"),
    /** Push configurations of one key for one task. */
    PUSHES_OF_TASK("A#{agent}", "S#T#{hash}"),
    /** A notification of an agent that has not been delivered yet. */
    PUSHED("A#{agent}", "S#N#{push}-{number}"),
    /** Credential that the gateway sends to an agent, encrypted. */
    AGENT_CREDENTIAL("A#{agent}", "K"),
    /** The ping address of an agent, and its last ping. */
    PING_ADDRESS("A#{agent}", "I"),
    /** Result of the last probes of a watched agent. */
    PROBES("A#{agent}", "V"),
    /** The declaration of an agent, and its accepted parts. */
    DECLARATION("A#{agent}", "C"),
    /** A task of an agent that has not ended, as far as the gateway saw. */
    OPEN_TASK("TASKS#{shard}", "{agent}#{hash}"),
    /** The last calls of an agent by its spans, as hashes. */
    CALL_HISTORY("A#{agent}", "2"),
    /** Tokens and calls of executions of an agent that may still go on, by its spans. */
    OPEN_EXECUTIONS("A#{agent}", "4"),
    /** Activity of an agent that is gone, superseded or blocked. */
    GHOST("A#{agent}", "3"),
    /** An agent with such activity, at the time at which the activity may be over. */
    GHOST_END("GHOSTS", "{time}#{agent}"),
    /** State of an agent's endpoint, as the results of calls show it. */
    CONNECTION("A#{agent}", "N#{hash}"),
    /** Outcomes of an agent that its callers may have caused. */
    CALLER_OUTCOMES("A#{agent}", "Q"),
    /** An agent whose calls are blocked, for the list of blocks. */
    BLOCKED_AGENT("BLOCKS", "A#{agent}"),
    /** A provider whose agents' calls are blocked, for the list of blocks. */
    BLOCKED_PROVIDER("BLOCKS", "P#{provider}"),
    /** All stops of agents, which readers of the blocks in force read with them. */
    STOPS("BLOCKS", "S"),
    /** A model provider that fails for many agents, which readers of the blocks in force read with them. */
    UPSTREAM("BLOCKS", "U#{provider}"),
    /** A nearly or wholly used limit of a role or an owner, which readers of the blocks in force read with them. */
    SHARED_USAGE("BLOCKS", "L#{holder}"),
    /** The last calls of model providers by an agent. */
    UPSTREAM_CALLS("UPSTREAM#{shard}", "{agent}"),
    /** A rule that contains agents. */
    CONTAINMENT_RULE("CONTAINMENT", "R#{rule}"),
    /** A case of such a rule and one agent. */
    CONTAINMENT_CASE("CONTAINMENT", "C#{rule}#{agent}"),
    /** The number of acts of all these rules, so that two passes of the sweep do not both act. */
    CONTAINMENT_ACTS("CONTAINMENT", "N"),
    /** A batch that already counts for the reputation of an agent. */
    COUNTED_EVIDENCE("A#{agent}", "D#{hash}"),
    /** Counts of invocations of an agent, and evidence of its reputation. */
    AGENT_TRACK_RECORD("A#{agent}", "G#{number}"),
    /** A finished invocation of an agent. */
    AGENT_INVOCATION("A#{agent}", "F#{millis}#{receipt}"),
    /** A finished invocation of an agent that is no evidence. */
    OTHER_INVOCATION("A#{agent}", "U#{millis}#{receipt}"),
    /** The sums of the calls of one caller to one agent on a day, by hour. */
    CALL_SUMS("CALLS#{day}#{shard}", "{agent}#{key}#{number}"),
    /** Decision of operators to block calls of a provider's agents, or to allow them. */
    PROVIDER_BLOCK("V#{provider}", "X"),
    /** Counts of invocations of a provider's agents, and evidence of its reputation. */
    PROVIDER_TRACK_RECORD("V#{provider}#{part}", "G#{number}"),
    /** A finished invocation of a provider's agent. */
    PROVIDER_INVOCATION("V#{provider}#{part}", "F#{millis}#{receipt}"),
    /** Lease. */
    LEASE("I#{intent}", "L#{lease}"),
    /** Last lease of a scope. */
    LOCK("I#{intent}", "S#{scope}"),
    /** Event of a lease (outbox). */
    LEASE_EVENT("I#{intent}", "E#{time}#{event}"),
    /** An agent, not archived, with a capability. */
    CAPABILITY_TAG("C#{capability}", "{agent}"),
    /** An agent, not archived, of a role. */
    ROLE_TAG("R#{role}", "{agent}"),
    /** An agent, not archived, that asked to be shown in the catalogue. */
    CATALOGUE_TAG("CATALOGUE", "{agent}"),
    /** An agent, not archived, by the id of the key that owns it. */
    OWNER_TAG("O#{key}", "{agent}"),
    /** Declaration of a role by a workflow. */
    ROLE_DEFAULTS("ROLE#{role}", "D"),
    /** A role that an agent or a workflow names. */
    ROLE_NAME("ROLES", "{role}"),
    /** A provider that an agent names. */
    PROVIDER_NAME("PROVIDERS", "{provider}"),
    /** A platform that an agent names. */
    PLATFORM_NAME("PLATFORMS", "{platform}"),
    /** The name of a role, provider or platform, by its number on the rows of agents. */
    GROUP_NUMBER("NUMBERS#{list}", "{number}"),
    /** Workflow. */
    WORKFLOW("W#{workflow}", "W"),
    /** Workflow, for the list and the sweep. */
    LISTED_WORKFLOW("WORKFLOWS", "D#{workflow}"),
    /** A pool that is below its minimum. */
    POOL_BELOW_MINIMUM("WORKFLOWS", "B#{role}"),
    /** A version of a role that is worse than the version before it. */
    WORSE_VERSION("WORKFLOWS", "V#{role}#{version}"),
    /** The executions of a version of a role on a day. */
    POOL_VERSION("VERSIONS#{role}", "{day}#{version}#{shard}"),
    /** The limits that the agents of a key share, for the sweep. */
    OWNER_LIMITS("WORKFLOWS", "L#{key}"),
    /** API key, by the hash of the presented credential. */
    API_KEY("K#{hash}", "K"),
    /** API key, for the list. */
    LISTED_KEY("KEYS", "{key}"),
    /** The last use of an API key. */
    KEY_USE("USED", "{key}"),
    /** The administrator's key that is turned off. */
    ADMINISTRATOR_KEY("SYSTEM", "K"),
    /** Revoked key, or ended secret of a key. The sweep removes its credential from agents. */
    REVOKED_KEY("REVOKED", "{time}#{key}"),
    /** A key whose end has to be notified, at the time of the notification. */
    EXPIRING_KEY("EXPIRING", "{time}#{key}"),
    /** A provider of OpenID Connect whose tokens are accepted. */
    IDENTITY_PROVIDER("IDENTITY", "{name}"),
    /** The number of changes of the identity providers. */
    IDENTITY_CHANGES("SYSTEM", "I"),
    /** The status page for outsiders, with its incidents. */
    STATUS_PAGE("SYSTEM", "P"),
    /** State of the sweep between passes. */
    SWEEP_STATE("SYSTEM", "S"),
    /** Runtime configuration. */
    CONFIGURATION("SYSTEM", "C"),
    /** The key that encrypts page tokens. It has its own partition, because functions that only read the rest may write it. */
    PAGE_TOKEN_KEY("PAGES", "K"),
    /** Statistics of the fleet as the sweep last counted them. */
    FLEET_STATISTICS("SYSTEM", "F"),
    /** Counts of the fleet in one minute. */
    FLEET_MINUTE("MINUTES", "{minute}"),
    /** Counts of the fleet over one hour. */
    FLEET_HOUR("HOURS", "{hour}"),
    /** The last count of live leases. */
    LEASE_COUNTS("SYSTEM", "L"),
    /** Numbers of open problems. */
    OPEN_PROBLEMS("SYSTEM", "O"),
    /** Event of the registry itself (outbox). */
    REGISTRY_EVENT("SYSTEM", "E#{event}"),
    /** An entry of the audit log: a change, its author and its request (outbox). */
    AUDIT_ENTRY("AUDIT#{day}#{shard}", "E#{millis}#{entry}"),
    /** The agent whose health a host shows. */
    HOST("H#{host}", "H"),
    /** Mapping of a host to an agent, for the list. */
    LISTED_HOST("HOSTS", "{host}"),
    /** The agent of spans, by the name in the spans, for the key that sends them. */
    SPAN_NAME("S#{key}", "N#{name}"),
    /** The executions of agents in a trace of a key's spans, so that evaluations find their agents. */
    TRACE("TRACE#{trace}", "{key}"),
    /** Settings for the spans that a key sends. */
    TELEMETRY_SETTINGS("S#{key}", "S"),
    /** A source of agents. */
    SOURCE("SOURCES", "{source}"),
    /** An entry of a source whose agent the source registered. */
    SOURCE_ENTRY("SOURCE#{source}", "{agent}"),
    /** A rule of notifications. */
    NOTIFICATION_RULE("NOTIFICATIONS", "{rule}"),
    /** State of one subject, as a rule of notifications last stored it. */
    NOTIFIED_SUBJECT("NOTIFY#{rule}", "S#{subject}"),
    /** A message that one rule sent as one alert for several subjects, as long as some subjects have not recovered. */
    NOTIFIED_GROUP("NOTIFY#{rule}", "G#{message}"),
    /** Events of a rule that are collected into one message. */
    DIGEST("NOTIFY#{rule}", "D#{slot}"),
    /** The message of a rule that is currently sent. */
    NOTIFICATION("NOTIFY#{rule}", "M"),
    /** The problem of a subject. */
    PROBLEM("P#{problem}", "P"),
    /** A silence of administrators. */
    SILENCE("SILENCES", "A#{name}"),
    /** A silence of the owner of agents. */
    OWNER_SILENCE("SILENCES", "O#{key}#{name}"),
    /** A silence at one time of writing, with readings that wait for the rules. */
    DEFERRING_SILENCE("DEFERRING", "{silence}"),
    /** The last reading of a subject during a silence. */
    DEFERRED_READING("DEFERRED#{silence}", "{subject}"),
    /** Receipt of an invocation. */
    RECEIPT("Z#{receipt}", "Z"),
    /** Message to the agent in an asynchronous invocation. The queue holds only ids, because others may read it. */
    MESSAGE("Z#{receipt}", "M"),
    /** Output of the agent, of an asynchronous or repeatable invocation. */
    OUTPUT("Z#{receipt}", "O"),
    /** The receipt of a request with an idempotency key. */
    IDEMPOTENT_REQUEST("Q#{hash}", "Q"),
    /** Use of a caller's limit of invocations. */
    CALLER_LIMIT("L#{key}", "L"),
    /** 50 permits, each with the end of its use, for all synchronous calls, one caller, one agent, or runs of probes. */
    CALL_PERMITS("N#{group}", "{number}");

    private final String partitionForm;
    private final String sortKeyForm;
    private final int partsOfPartition;

    /** True if all items of the kind have the same sort key. */
    private final boolean hasOneSortKey;

    private final AttributeValue storedSortKeyForm;

    ItemKind(String partitionForm, String sortKeyForm) {
        this.partitionForm = partitionForm;
        this.sortKeyForm = sortKeyForm;
        this.partsOfPartition =
                (int) partitionForm.chars().filter(c -> c == '{').count();
        this.hasOneSortKey = sortKeyForm.indexOf('{') < 0;
        this.storedSortKeyForm = Values.s(sortKeyForm);
    }

    /**
     * Returns the key of an item.
     *
     * @param parts the values of all placeholders, first of the partition key, then of the sort key
     */
    public Map<String, AttributeValue> key(String... parts) {
        AttributeValue partition = Values.s(fill(partitionForm, parts, 0, partsOfPartition));
        return Attributes.key(
                partition,
                hasOneSortKey && parts.length == partsOfPartition
                        ? storedSortKeyForm
                        : Values.s(fill(sortKeyForm, parts, partsOfPartition, parts.length)));
    }

    /**
     * Returns a partition with items of this kind.
     *
     * @param parts the values of the placeholders of the partition key
     */
    public String partition(String... parts) {
        return fill(partitionForm, parts, 0, parts.length);
    }

    /**
     * Returns the sort key of an item.
     *
     * @param parts the values of the placeholders of the sort key
     */
    public String sortKey(String... parts) {
        return fill(sortKeyForm, parts, 0, parts.length);
    }

    /** Returns the prefix of the sort keys of all items of this kind; possibly empty. */
    public String prefix() {
        int placeholder = sortKeyForm.indexOf('{');
        return placeholder < 0 ? sortKeyForm : sortKeyForm.substring(0, placeholder);
    }

    /** Returns the part of an item's sort key after {@link #prefix()}. */
    public String afterPrefix(Map<String, AttributeValue> item) {
        return Values.text(item, Attributes.SK).substring(prefix().length());
    }

    /** Returns the value of the placeholder in an item's partition key, such as the id of the agent. */
    public String ofPartition(Map<String, AttributeValue> item) {
        return Values.text(item, Attributes.PK).substring(partitionForm.indexOf('{'));
    }

    private static String fill(String form, String[] parts, int from, int to) {
        if (from == to && form.indexOf('{') < 0) {
            return form;
        }
        StringBuilder filled = new StringBuilder();
        int place = 0;
        for (int part = from; part < to; part++) {
            int begin = form.indexOf('{', place);
            filled.append(form, place, begin).append(parts[part]);
            place = form.indexOf('}', begin) + 1;
        }
        if (form.indexOf('{', place) >= 0) {
            throw new IllegalArgumentException(form + " needs more than " + (to - from) + " parts");
        }
        return filled.append(form, place, form.length()).toString();
    }

    @Override
    public String toString() {
        return partitionForm + " " + sortKeyForm;
    }
}
