package dev.agenthealth.functions.operations.silences;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilencePeriod;
import dev.agenthealth.model.operations.silence.SilenceScope;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The silences of administrators and of owners that are not over, in the document of a registry's configuration. Thread-safe. */
final class SilenceSection implements Section {

    /** The maximum length of an imported silence. An administrator may write a silence that began some time ago. */
    private static final Duration MAX_LENGTH = SilencePeriod.MAX_ONCE.plus(SilencePeriod.MAX_AHEAD);

    /** Separates the parts of an id. No name contains it. */
    private static final String SEPARATOR = "/";

    private final SilenceRoutes routes;
    private final SilenceStore silences;
    private final Clock clock;

    SilenceSection(SilenceRoutes routes, SilenceStore silences, Clock clock) {
        this.routes = routes;
        this.silences = silences;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "silences";
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        Instant now = clock.instant();
        return Section.pageOf(
                silences.all().stream()
                        .filter(silence -> !isOver(silence.period(), now))
                        .map(silence -> new Exported(id(silence), SilenceFields.declared(silence))),
                position,
                limit);
    }

    private static boolean isOver(SilencePeriod period, Instant now) {
        return period.over().filter(end -> !end.isAfter(now)).isPresent();
    }

    private static String id(Silence silence) {
        return silence.ownerKeyId().isEmpty() ? silence.name() : silence.ownerKeyId() + SEPARATOR + silence.name();
    }

    @Override
    public Entry read(Fields fields) {
        Instant now = clock.instant();
        fields.require("name");
        fields.require("scope");
        String name = fields.id("name");
        String owner = fields.id(SilenceFields.OWNER);
        String reason = SilenceFields.reason(fields);
        SilenceScope scope = SilenceFields.scope(fields).orElse(SilenceScope.EVERYTHING);
        if (!owner.isEmpty()
                && scope.kind() != SilenceScope.Kind.AGENT_ID
                && !scope.equals(new SilenceScope(SilenceScope.Kind.OWNER_KEY_ID, owner))) {
            fields.refuse("scope", "must be an agent_id, or the owner_key_id of the silence");
        }
        // A silence is read as of its beginning: it may be over since the export.
        Instant began = fields.timestamp(SilenceFields.STARTS_AT)
                .or(() -> began(owner, name, now))
                .filter(start -> start.isBefore(now))
                .orElse(now);
        Optional<SilencePeriod> period = fields.has(SilenceFields.SCHEDULE)
                ? SilenceFields.period(fields, now)
                : SilenceFields.once(fields, began, MAX_LENGTH);
        fields.refuseUnknown();
        Silence wanted = new Silence(
                owner,
                name,
                UlidCreator.getUlid().toString(),
                scope,
                period.orElse(new SilencePeriod.Once(now, now)),
                reason,
                new Silence.Creation("", now));
        return isOver(wanted.period(), now)
                ? Entry.skipped(id(wanted), "The silence is over.")
                : Entry.of(
                        id(wanted),
                        SilenceFields.declared(wanted),
                        () -> silences.find(owner, name).map(SilenceFields::declared),
                        author -> routes.replace(author, by(author, wanted)));
    }

    /** Returns the beginning of the present silence if it is active. A silence without a beginning in the document keeps it. */
    private Optional<Instant> began(String owner, String name, Instant now) {
        return name.isEmpty()
                ? Optional.empty()
                : silences.find(owner, name)
                        .filter(silence -> silence.period() instanceof SilencePeriod.Once)
                        .filter(silence -> silence.endsAt(now).isPresent())
                        .map(silence -> ((SilencePeriod.Once) silence.period()).startsAt());
    }

    private static Silence by(Author author, Silence silence) {
        return new Silence(
                silence.ownerKeyId(),
                silence.name(),
                silence.id(),
                silence.scope(),
                silence.period(),
                silence.reason(),
                new Silence.Creation(author.id(), silence.createdAt()));
    }
}
