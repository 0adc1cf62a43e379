package dev.agenthealth.functions;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.gateway.CredentialStore;
import dev.agenthealth.functions.health.trust.TrustRoutes;
import dev.agenthealth.functions.operations.administration.AdministrationRoutes;
import dev.agenthealth.functions.operations.audit.AuditRoutes;
import dev.agenthealth.functions.operations.containment.ContainmentRoutes;
import dev.agenthealth.functions.operations.erasure.AgentErasure;
import dev.agenthealth.functions.operations.notification.Channels;
import dev.agenthealth.functions.operations.notification.NotificationRoutes;
import dev.agenthealth.functions.operations.publisher.Republishing;
import dev.agenthealth.functions.operations.silences.SilenceRoutes;
import dev.agenthealth.functions.operations.sources.SourceRoutes;
import dev.agenthealth.functions.operations.sources.SourceSync;
import dev.agenthealth.functions.operations.statuspage.StatusPageRoutes;
import dev.agenthealth.functions.operations.stops.StopRoutes;
import dev.agenthealth.functions.operations.transfer.AgentSection;
import dev.agenthealth.functions.operations.transfer.BlockSection;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.operations.transfer.SpanMappingSection;
import dev.agenthealth.functions.operations.transfer.TransferRoutes;
import dev.agenthealth.functions.operations.transfer.WorkflowSection;
import dev.agenthealth.functions.registry.MovedAgents;
import dev.agenthealth.functions.registry.ping.MovedPings;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.events.EventStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves the routes of administrators: keys, owners, hosts, configuration, audit log, blocks, erasure, republishing, notifications and
 * sources. The function has no snapshot, because Lambda deletes a snapshot after 14 idle days. It therefore warms nothing up.
 */
public final class AdministrationFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public AdministrationFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public AdministrationFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of receivers of notifications and of sources
     * @param tls secures the connections to them
     */
    public AdministrationFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        super(wiring);
        new AuditRoutes(database(), wiring.clock()).addTo(routes());
        AdministrationRoutes administration = new AdministrationRoutes(wiring, database(), authenticator(), log());
        administration.addTo(routes());
        new TrustRoutes(wiring, database(), log()).addBlocksTo(routes());
        StopRoutes stops = new StopRoutes(wiring, database(), log());
        stops.addTo(routes());
        ContainmentRoutes containment = new ContainmentRoutes(wiring, database(), log());
        containment.addTo(routes());
        new AgentErasure(database(), wiring.clock(), log()).addTo(routes());
        new Republishing(wiring, EventStore.ofSystem(wiring, database()), log()).addTo(routes());
        NotificationRoutes notifications =
                new NotificationRoutes(wiring, database(), Channels.of(wiring, resolver, tls), log());
        notifications.addTo(routes());
        StatusPageRoutes statusPage = new StatusPageRoutes(database(), wiring.clock(), log());
        statusPage.addTo(routes());
        SilenceRoutes silences = new SilenceRoutes(wiring, database(), log());
        silences.addTo(routes());
        SourceSync sync = new SourceSync(wiring, database(), authenticator(), resolver, tls, log());
        SourceRoutes sources = new SourceRoutes(wiring, database(), sync, resolver, log());
        sources.addTo(routes());
        List<Section> sections = new ArrayList<>(administration.sections());
        sections.add(new WorkflowSection(database(), wiring.clock()));
        // Calls of a blocked or stopped agent are refused from its registration on.
        sections.add(stops.section());
        sections.add(new BlockSection(database(), wiring.clock(), log()));
        sections.add(containment.section());
        sections.add(new AgentSection(
                new MovedAgents(wiring, database(), authenticator()),
                new CredentialStore(database()),
                new MovedPings(database(), authenticator())));
        sections.add(new SpanMappingSection(database(), wiring.clock()));
        sections.add(administration.hostSection());
        sections.add(notifications.section());
        sections.add(silences.section());
        sections.add(sources.section());
        sections.add(statusPage.section());
        new TransferRoutes(sections, wiring.clock(), log()).addTo(routes());
    }
}
