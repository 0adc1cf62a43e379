package dev.agenthealth.functions.storage.workflows;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.SECONDS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.agents.HeartbeatConfigAttributes;
import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.usage.UsageLimitsText;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.workflow.PoolSize;
import dev.agenthealth.model.registry.workflow.RoleContact;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The declaration of a role by a workflow, as attributes of an item or of a map inside an item. This class owns their names. */
final class RoleItem {

    private static final Codec<RoleDefaults> CODEC = new Codec<>();
    private static final Codec<PoolSize> POOL = CODEC.part(RoleDefaults::pool);

    /** The role. */
    static final Attribute<String> ROLE = CODEC.always("r", TEXT, RoleDefaults::roleId);

    private static final Attribute<List<String>> CAPABILITIES = CODEC.always("cap", TEXTS, RoleDefaults::capabilities);
    private static final Attribute<Integer> MAX_TASKS =
            CODEC.optional("m", INTEGER.or(Workload.NOT_DECLARED), RoleDefaults::maxConcurrentTasks);
    private static final HeartbeatConfigAttributes HEARTBEAT =
            HeartbeatConfigAttributes.in(CODEC.part(RoleDefaults::heartbeat), "i", "u", "d", "sa", "signs", "loop");
    private static final Attribute<Duration> DRAIN_TIMEOUT =
            CODEC.always("dt", SECONDS.or(Drain.DEFAULT_TIMEOUT), RoleDefaults::drainTimeout);
    private static final Attribute<Integer> MINIMUM =
            POOL.always("min", INTEGER.or(PoolSize.ANY.minimum()), PoolSize::minimum);
    private static final Attribute<Integer> MAXIMUM =
            POOL.always("max", INTEGER.or(PoolSize.NO_MAXIMUM), PoolSize::maximum);

    private static final Codec<RoleContact> CONTACT = CODEC.part(RoleDefaults::contact);
    private static final Attribute<String> PEOPLE = CONTACT.optional("contact", TEXT, RoleContact::contact);
    private static final Attribute<String> RUNBOOK = CONTACT.optional("runbook", TEXT, RoleContact::runbookUrl);

    private static final Attribute<UsageLimits> LIMITS =
            CODEC.optional("limits", UsageLimitsText.TYPE, RoleDefaults::limits);

    private RoleItem() {}

    static Map<String, AttributeValue> of(RoleDefaults role) {
        return CODEC.attributes(role);
    }

    static RoleDefaults read(Map<String, AttributeValue> item) {
        return new RoleDefaults(
                ROLE.of(item),
                CAPABILITIES.of(item),
                MAX_TASKS.of(item),
                HEARTBEAT.of(item),
                DRAIN_TIMEOUT.of(item),
                new PoolSize(MINIMUM.of(item), MAXIMUM.of(item)),
                new RoleContact(PEOPLE.of(item), RUNBOOK.of(item)),
                LIMITS.of(item));
    }
}
