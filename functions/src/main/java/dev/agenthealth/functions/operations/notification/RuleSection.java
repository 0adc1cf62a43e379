package dev.agenthealth.functions.operations.notification;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.Channel;
import dev.agenthealth.functions.operations.notification.channel.Target;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.notifications.DeliveryState;
import dev.agenthealth.functions.storage.notifications.NotificationRuleStore;
import dev.agenthealth.functions.storage.notifications.StoredRule;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.operations.notification.NotificationRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * The rules of notifications in the document of a registry's configuration, without the secrets of their targets. A rule that is imported without
 * its secrets sends nothing until its target is written again. Thread-safe.
 */
final class RuleSection implements Section {

    private static final String INCOMPLETE =
            "its target has no secret yet, or is not possible here: write the rule again";

    private final NotificationRoutes routes;
    private final NotificationRuleStore rules;
    private final Channels channels;
    private final Dispatcher dispatcher;
    private final Clock clock;

    RuleSection(
            NotificationRoutes routes,
            NotificationRuleStore rules,
            Channels channels,
            Dispatcher dispatcher,
            Clock clock) {
        this.routes = routes;
        this.rules = rules;
        this.channels = channels;
        this.dispatcher = dispatcher;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "notifications";
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        return Section.pageOf(
                rules.all().stream().map(rule -> new Exported(rule.name(), declared(rule))), position, limit);
    }

    @Override
    public Entry read(Fields fields) {
        fields.require("name");
        String name = fields.id("name");
        NotificationRule wanted = RuleFields.read(name, fields, Instant.EPOCH);
        Optional<StoredRule> before = name.isEmpty() ? Optional.empty() : rules.find(name);
        Channel.Imported target = channels.imported(fields, before.flatMap(dispatcher::open));
        fields.refuseUnknown();
        return Entry.of(
                        name,
                        RuleFields.declared(wanted, target.declared()),
                        () -> before.map(this::declared),
                        author -> write(author, wanted, target))
                .needing(target.missing().stream().map("target."::concat).toList());
    }

    private ObjectNode declared(StoredRule rule) {
        return RuleFields.declared(rule.rule(), channels.declared(Json.stored(rule.shownTarget())));
    }

    private void write(Author author, NotificationRule wanted, Channel.Imported imported) {
        OptimisticUpdates.untilDone(() -> {
            Optional<StoredRule> before = rules.find(wanted.name());
            Instant createdAt = before.map(stored -> stored.rule().createdAt()).orElseGet(clock::instant);
            return routes.write(author, before, stored(wanted.created(createdAt), imported, before));
        });
    }

    private StoredRule stored(NotificationRule rule, Channel.Imported imported, Optional<StoredRule> before) {
        long version = before.map(StoredRule::version).orElse(0L) + 1;
        DeliveryState state =
                before.map(StoredRule::state).orElse(DeliveryState.NONE).enabled();
        if (imported.target().isPresent()) {
            Target target = imported.target().get();
            return new StoredRule(
                    rule,
                    version,
                    Json.text(channels.of(target).shown(target)),
                    dispatcher.seal(rule.name(), target),
                    state);
        }
        ObjectNode shown = imported.declared().deepCopy().put("has_secret", false);
        return new StoredRule(
                rule,
                version,
                Json.text(shown),
                new byte[0],
                new DeliveryState(state.lastDelivery(), "", Instant.EPOCH, INCOMPLETE));
    }
}
