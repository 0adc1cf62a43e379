package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A person signs in at a registry that asks an identity provider. */
class LoginSystemTest {

    private static final String ADMINISTRATOR = "test-administrator-key";

    @AutoClose
    private final ScriptedServer provider = ScriptedServer.http();

    private String token(ECKey key, String issuer) throws JOSEException {
        Instant now = Instant.now();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .audience("agent-health")
                        .subject("anna")
                        .claim("groups", "platform")
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(now.plusSeconds(300)))
                        .build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void a_person_signs_in_by_a_device_and_acts_as_granted(@TempDir Path folder) throws IOException, JOSEException {
        String issuer = "http://127.0.0.1:" + provider.port();
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        ObjectNode discovery = Json.object()
                .put("issuer", issuer)
                .put("jwks_uri", issuer + "/jwks")
                .put("token_endpoint", issuer + "/token")
                .put("device_authorization_endpoint", issuer + "/device");
        Map<String, Script> answers = Map.of(
                "/.well-known/openid-configuration", Script.body(discovery.toString()),
                "/jwks", Script.body("{\"keys\":[" + key.toPublicJWK().toJSONString() + "]}"),
                "/device",
                        Script.body(
                                """
                                        {"device_code":"d","user_code":"U","verification_uri":"https://sso/d",\
                                        "expires_in":60}\
                                        """),
                "/token", Script.body("{\"access_token\":\"" + token(key, issuer) + "\"}"));
        provider.plays(
                (request, out) -> answers.get(request.line().split(" ")[1]).play(request, out));
        try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream())))) {
            ObjectNode configuration = Json.object().put("issuer", issuer).put("client_id", "terminal");
            configuration.putArray("audiences").add("agent-health");
            configuration
                    .putArray("grants")
                    .addObject()
                    .put("claim", "groups")
                    .put("value", "platform")
                    .put("role", "administrator");
            assertThat(new RegistryCaller(system.baseUrl(), ADMINISTRATOR)
                            .put("/v1/admin/identity-providers/acme", configuration)
                            .status())
                    .isLessThan(300);
            Map<String, String> environment =
                    Map.of("AGENT_HEALTH_URL", system.baseUrl(), "XDG_CONFIG_HOME", folder.toString());
            Terminal terminal =
                    new Terminal(environment, new PrintStream(OutputStream.nullOutputStream()), System.err, false);
            assertThat(new CommandLine(new LoginCommand(terminal, seconds -> {}))
                            .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                            .execute())
                    .isZero();

            CommandRun keys = CommandRun.of(environment, "keys", "list");
            assertThat(keys.errors()).isEqualTo("no key is in force\n");
            assertThat(keys.status()).isZero();
        }
    }
}
