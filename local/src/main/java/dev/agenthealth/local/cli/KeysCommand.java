package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.IssuedKey;
import dev.agenthealth.client.KeyLimits;
import dev.agenthealth.client.KeyRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Issues, limits, lists, rotates and revokes API keys. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = "Issues, limits, lists, rotates and revokes API keys; needs an administrator's key.",
        footer = {
            "",
            "create and rotate print the secret alone on standard output, and what belongs to it on standard error:",
            "  KEY=$(java -jar agent-health-local.jar keys create --role agent --name billing)"
        })
final class KeysCommand implements Runnable {

    private static final String NEEDED = "administrator";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    KeysCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The roles of keys. */
    enum Role {
        agent,
        coordinator,
        viewer,
        administrator
    }

    /** The actions to which a key may be limited. */
    enum Action {
        heartbeat,
        read,
        invoke
    }

    /** The actions on the agents of a key that used up a limit. */
    enum OnExceeded {
        none,
        drain,
        block,
        restart
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: create, limit, list, rotate or revoke");
    }

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = "Issues a key and prints its secret, which is shown this once.")
    int create(
            @Mixin RegistryOptions registry,
            @Option(names = "--role", required = true, description = "${COMPLETION-CANDIDATES}") Role role,
            @Option(names = "--name", defaultValue = "", paramLabel = "NAME", description = "for people") String name,
            @Option(
                            names = "--role-id",
                            split = ",",
                            paramLabel = "ROLE",
                            description = "limits a coordinator or viewer to agents of these roles")
                    List<String> roleIds,
            @Option(
                            names = "--provider-id",
                            split = ",",
                            paramLabel = "PROVIDER",
                            description = "the providers that agents of the key may name; none without it")
                    List<String> providerIds,
            @Option(
                            names = "--expires-at",
                            converter = MomentConverter.class,
                            paramLabel = "TIME",
                            description = "from when on it is refused, such as 2027-02-08T10:00:00Z; never without it")
                    Instant expiresAt,
            @Option(
                            names = "--allowed-address",
                            split = ",",
                            paramLabel = "BLOCK",
                            description = "the blocks of addresses from which it is accepted, such as 203.0.113.0/24;"
                                    + " all without it")
                    List<String> addresses,
            @Option(
                            names = "--action",
                            split = ",",
                            paramLabel = "ACTION",
                            description = "what it may do: ${COMPLETION-CANDIDATES}; all that its role may without it")
                    List<Action> actions,
            @Option(names = "--json", description = "print JSON") boolean json) {
        KeyLimits limits = new KeyLimits(
                Optional.ofNullable(expiresAt),
                named("--allowed-address", addresses),
                named("--action", actions).stream().map(Action::name).toList());
        return show(
                registry.call(terminal, NEEDED, client -> client.keys()
                        .issue(
                                role.name(),
                                name,
                                named("--role-id", roleIds),
                                named("--provider-id", providerIds),
                                limits)),
                json);
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the keys that are not revoked.")
    int list(@Mixin RegistryOptions registry, @Mixin ListOptions output) {
        Map<String, KeyRecord> records = new HashMap<>();
        Function<JsonNode, KeyRecord> record =
                key -> records.get(key.path("key_id").asText());
        Listing listing = new Listing(terminal, "keys")
                .field("key", "key_id")
                .field("role", "role")
                .time("created", "created_at")
                .column("last used", key -> lastUsed(record.apply(key)))
                .column("limited to", key -> limits(record.apply(key)))
                .column("name", key -> key.path("name").asText())
                .check(output);
        return registry.call(
                terminal,
                NEEDED,
                client -> listing.print(
                        output,
                        client.keys().stream().map(key -> {
                            records.put(key.keyId(), key);
                            return key.json();
                        }),
                        "no key is in force"));
    }

    private static String lastUsed(KeyRecord record) {
        return record.lastUsedOn()
                .map(day -> (day + " " + record.lastUsedFrom()).strip())
                .orElse("-");
    }

    @Command(name = "rotate", mixinStandardHelpOptions = true, description = "Gives a key a new secret, and prints it.")
    int rotate(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "KEY_ID") String keyId,
            @Option(
                            names = "--overlap-seconds",
                            defaultValue = "86400",
                            paramLabel = "SECONDS",
                            description = "how long the secret before works on (86400)")
                    long overlapSeconds,
            @Option(names = "--json", description = "print JSON") boolean json) {
        return show(
                registry.call(
                        terminal, NEEDED, client -> client.keys().rotate(keyId, Duration.ofSeconds(overlapSeconds))),
                json);
    }

    @Command(
            name = "limit",
            mixinStandardHelpOptions = true,
            description = {
                "Limits the usage of all agents that a key owns, together; without an option for a number, the limits end.",
                "The key's own requests go on."
            })
    int limit(
            @Mixin RegistryOptions registry,
            @Parameters(paramLabel = "KEY_ID") String keyId,
            @Option(names = "--tokens-per-hour", paramLabel = "TOKENS", description = "of an hour of UTC")
                    Long tokensPerHour,
            @Option(names = "--tokens-per-day", paramLabel = "TOKENS", description = "of a day of UTC")
                    Long tokensPerDay,
            @Option(names = "--executions-per-hour", paramLabel = "EXECUTIONS", description = "of an hour of UTC")
                    Long executionsPerHour,
            @Option(names = "--count-cached", description = "count input tokens from a cache, too") boolean countCached,
            @Option(
                            names = "--on-exceeded",
                            defaultValue = "none",
                            paramLabel = "ACTION",
                            description = "what happens to the agents: ${COMPLETION-CANDIDATES} (none)")
                    OnExceeded onExceeded) {
        Map<String, Object> limits = new TreeMap<>();
        limits.put("tokens_per_hour", tokensPerHour);
        limits.put("tokens_per_day", tokensPerDay);
        limits.put("executions_per_hour", executionsPerHour);
        limits.values().removeIf(Objects::isNull);
        boolean ends = limits.isEmpty();
        if (ends && (countCached || onExceeded != OnExceeded.none)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "a limit is missing: --tokens-per-hour, --tokens-per-day or --executions-per-hour");
        }
        limits.put("count_cached", countCached);
        limits.put("on_exceeded", onExceeded.name());
        registry.call(
                terminal,
                NEEDED,
                client -> client.call(
                        "PATCH",
                        "/v1/admin/keys/" + Segment.of(keyId),
                        Collections.singletonMap("limits", ends ? null : limits)));
        terminal.errors().println((ends ? "limits ended of " : "limited ") + keyId);
        return ExitStatus.OK;
    }

    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "Revokes keys: they are refused within a minute.")
    int revoke(
            @Mixin RegistryOptions registry, @Parameters(arity = "1..*", paramLabel = "KEY_ID") List<String> keyIds) {
        return registry.call(terminal, NEEDED, client -> {
            keyIds.forEach(keyId -> {
                client.keys().revoke(keyId);
                terminal.errors().println("revoked " + keyId);
            });
            return ExitStatus.OK;
        });
    }

    private int show(IssuedKey key, boolean json) {
        if (json) {
            terminal.out().println(Text.json(((ObjectNode) key.json()).put("api_key", key.apiKey())));
        } else {
            terminal.errors()
                    .println(key.keyId() + " (" + key.role()
                            + (key.name().isEmpty() ? "" : ", " + Text.plain(key.name()))
                            + "); the secret is shown this once:");
            terminal.out().println(key.apiKey());
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Returns the roles and limits of a key in one cell. */
    private static String limits(KeyRecord key) {
        List<String> all = new ArrayList<>(key.roleIds());
        if (key.allRoles()) {
            all.add("all roles");
        }
        key.limits().expiresAt().ifPresent(end -> all.add("until " + end));
        all.addAll(key.limits().allowedAddresses());
        if (!key.limits().actions().isEmpty()) {
            all.add("only " + String.join("+", key.limits().actions()));
        }
        key.json().path("limits").properties().forEach(limit -> {
            if (limit.getValue().isNumber()) {
                all.add(limit.getValue().asText() + " " + limit.getKey().replace('_', ' '));
            }
        });
        return all.isEmpty() ? "-" : String.join(",", all);
    }

    /**
     * Returns the names in an option; none without the option. A lone comma, for example from two empty variables, would issue an unlimited
     * key.
     */
    private <T> List<T> named(String option, List<T> values) {
        if (values != null && values.isEmpty()) {
            throw new ParameterException(spec.commandLine(), option + " names nothing");
        }
        return values == null ? List.of() : values;
    }
}
