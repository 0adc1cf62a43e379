package dev.agenthealth.model.operations.configuration;

import static dev.agenthealth.model.operations.configuration.RuntimeSetting.Description.optional;

import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Flag;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.Prices;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.PublicKeys;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.RoleIds;
import dev.agenthealth.model.operations.configuration.RuntimeSetting.WholeNumber;
import dev.agenthealth.model.registry.lease.LeaseLimits;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.window.MeasurementWindow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The settings of the runtime configuration, in the order of the HTTP interface. */
public final class RuntimeSettings {

    private static final List<RuntimeSetting<?>> DECLARED = new ArrayList<>();

    private static final int MAX_AGENTS = 10_000_000;

    public static final WholeNumber SWEEP_PASSES_PER_MINUTE = declare(new WholeNumber(
            optional(
                            "sweep_passes_per_minute",
                            "Passes in a run of the sweep",
                            "Passes of the sweep within one of its runs: each minute on AWS, each five seconds on one machine. More passes find missing heartbeats sooner.")
                    .asRequired()
                    .storedAs("passes"),
            1,
            12,
            1));

    public static final WholeNumber SWEEP_FAN_OUT_AGENTS = declare(new WholeNumber(
            optional(
                            "sweep_fan_out_agents",
                            "Agents above which a pass is divided",
                            "Number of monitored agents above which a pass is divided into shards.")
                    .asRequired()
                    .storedAs("fan_out"),
            1_000,
            MAX_AGENTS,
            200_000));

    public static final WholeNumber MASS_SILENCE_MINIMUM_AGENTS = declare(new WholeNumber(
            optional(
                            "mass_silence.minimum_agents",
                            "Mass silence: from this many agents on",
                            "Smaller fleets never have a mass silence.")
                    .asRequired()
                    .storedAs("mass_minimum"),
            1,
            MAX_AGENTS,
            MassSilenceRule.DEFAULT.minimumAgents()));

    public static final WholeNumber MASS_SILENCE_SILENT_PERCENT = declare(new WholeNumber(
            optional(
                            "mass_silence.silent_percent",
                            "Mass silence: missing heartbeats, in percent",
                            "Percentage of agents with missing heartbeats that makes a mass silence. The cause is more likely the registry or the network than the agents.")
                    .asRequired()
                    .storedAs("mass_silent"),
            1,
            100,
            MassSilenceRule.DEFAULT.silentPercent()));

    public static final WholeNumber MASS_SILENCE_DEATH_PERCENT_PER_MINUTE = declare(new WholeNumber(
            optional(
                            "mass_silence.death_percent_per_minute",
                            "Mass silence: deaths each minute, in percent",
                            "Percentage of the fleet that may be marked as dead per minute of a mass silence.")
                    .asRequired()
                    .storedAs("mass_deaths"),
            1,
            100,
            MassSilenceRule.DEFAULT.deathPercentPerMinute()));

    public static final WholeNumber INVOCATIONS_PER_SECOND = declare(new WholeNumber(
            optional(
                            "invocations.per_second",
                            "Calls through the gateway each second, per key",
                            "Invocations per second and key.")
                    .asRequired()
                    .storedAs("invocations"),
            1,
            1_000,
            CallerLimit.DEFAULT.perSecond()));

    public static final WholeNumber INVOCATIONS_BURST = declare(new WholeNumber(
            optional("invocations.burst", "Calls at once, per key", "Invocations of a key at once after a pause.")
                    .asRequired()
                    .storedAs("invocation_burst"),
            1,
            10_000,
            CallerLimit.DEFAULT.burst()));

    /** 0 follows the concurrency of the account. */
    public static final WholeNumber INVOCATIONS_MAX_IN_FLIGHT = declare(new WholeNumber(
            optional(
                            "invocations.max_in_flight",
                            "Synchronous calls in flight, all together",
                            "Synchronous invocations of all keys that may be under way at the same time; a quarter of them for one agent and for one"
                                    + " key. 0: half of the account's concurrency, 256 on one machine.")
                    .asRequired()
                    .storedAs("max_in_flight"),
            0,
            1_000,
            0));

    public static final WholeNumber DEFAULT_WINDOW_SECONDS = declare(new WholeNumber(
            optional(
                            "default_window_seconds",
                            "Window of the measurement, in seconds",
                            "Measurement window, in seconds, of agents that declare no window.")
                    .asRequired()
                    .storedAs("default_window"),
            MeasurementWindow.MIN_SECONDS,
            MeasurementWindow.MAX_SECONDS,
            Math.toIntExact(MeasurementWindow.DEFAULT.seconds())));

    public static final WholeNumber MAX_AGENTS_PER_KEY = declare(new WholeNumber(
            optional(
                            "max_agents_per_key",
                            "Agents per key",
                            "Maximum of live agents per key. A key at the maximum registers no further agent.")
                    .asRequired(),
            1,
            MAX_AGENTS,
            20_000));

    public static final WholeNumber MAX_WATCHED_AGENTS_PER_KEY = declare(new WholeNumber(
            optional(
                            "max_watched_agents_per_key",
                            "Watched agents per key",
                            "Maximum of watched agents per key. A key at the maximum gets no further watched agent.")
                    .asRequired()
                    .storedAs("max_watched_per_key"),
            1,
            MAX_AGENTS,
            1_000));

    public static final WholeNumber WAITING_AFTER_SECONDS = declare(new WholeNumber(
            optional(
                    "waiting_after_seconds",
                    "Wait for a person before it is reported, in seconds",
                    "Seconds for which an agent may wait for a person before `agent.waiting` is published."),
            1,
            86_400,
            60));

    public static final WholeNumber LEASES_MAX_PER_AGENT = declare(new WholeNumber(
            optional("leases.max_per_agent", "Live leases per agent", "Maximum of live leases per agent.")
                    .storedAs("max_leases_per_agent"),
            1,
            10_000,
            LeaseLimits.DEFAULT.perAgent()));

    public static final WholeNumber LEASES_MAX_PER_KEY = declare(new WholeNumber(
            optional("leases.max_per_key", "Live leases per key", "Maximum of live leases of the agents of a key.")
                    .storedAs("max_leases_per_key"),
            1,
            1_000_000,
            LeaseLimits.DEFAULT.perKey()));

    public static final WholeNumber LEASES_MAX_IN_ALL = declare(new WholeNumber(
            optional("leases.max_in_all", "Live leases in all", "Maximum of live leases of all agents.")
                    .storedAs("max_leases"),
            1,
            1_000_000,
            LeaseLimits.DEFAULT.inAll()));

    public static final Flag PUBLIC_CATALOGUE = declare(new Flag(
            optional(
                            "public_catalogue",
                            "The catalogue of agents is readable without a key",
                            "Whether clients without a key may read and search the catalogue.")
                    .asRequired(),
            false));

    /** Each key has some hundred bytes of an item that is read often. */
    public static final PublicKeys CARD_KEYS = declare(new PublicKeys(
            optional(
                    "card_keys",
                    "Keys of agent cards",
                    "Public keys, as JSON Web Keys with `kid`, whose signatures of agent cards are valid whatever host serves them."),
            10));

    /** Each role costs some metrics of CloudWatch. */
    public static final RoleIds METRIC_ROLES = declare(new RoleIds(
            optional(
                    "metric_roles",
                    "Roles with metrics of their own in CloudWatch",
                    "Ids of roles that have metrics of their own in CloudWatch. Each role costs three custom metrics."),
            20));

    public static final Prices MODEL_PRICES = declare(
            new Prices(
                    optional(
                            "model_prices",
                            "Prices of models",
                            "Prices of models for a million tokens, by which answers about usage estimate the cost. The names of models are the names that agents report.")));

    private RuntimeSettings() {}

    private static <S extends RuntimeSetting<?>> S declare(S setting) {
        DECLARED.add(setting);
        return setting;
    }

    /** Returns all settings in the order of their declarations. */
    public static List<RuntimeSetting<?>> all() {
        return Collections.unmodifiableList(DECLARED);
    }
}
