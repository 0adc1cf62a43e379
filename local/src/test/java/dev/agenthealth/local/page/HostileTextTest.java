package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.testkit.Attack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every text of every answer that the page gets is markup: no view makes an element of it, runs it or links to it. The policy that stops scripts
 * of others is no part of this.
 */
@Tag(Attack.TAG)
@Tag("other-programs")
@ExtendWith(PageSystem.Resolver.class)
class HostileTextTest {

    private static final List<String> VIEWS = List.of(
            "#/",
            "#/agents",
            "#/agents/agent-1",
            "#/agents/hostile",
            "#/problems",
            "#/problems?state=over",
            "#/agents/no-such-agent",
            "#/pools",
            "#/trust",
            "#/trust?blocked=true",
            "#/silences",
            "#/keys",
            "#/identity-providers",
            "#/workflows",
            "#/notifications",
            "#/sources",
            "#/audit",
            "#/configuration");

    private static final String MARKUP =
            "<img src=x onerror=window.ran=1 class=planted>\"'><script class=planted>window.ran=1</script>"
                    + "<svg class=planted onload=window.ran=1></svg></title></style></textarea><iframe class=planted srcdoc='<b>'></iframe>"
                    + "${window.ran=1}{{constructor.constructor('window.ran=1')()}}\u202e\u2066\u0007"
                    + "W".repeat(500);

    private static final List<String> TEXTS = List.of(MARKUP, "javascript:window.ran=1");

    /**
     * Replaces texts in answers, but for times and tokens of the registry's own; in the first half of the rounds also but for words by which the
     * page decides what to show.
     */
    private static final String POISON =
            """
            const [text, all] = arguments;
            window.poisoned = 0;
            const isOurs = (name, value) => /(token|cursor)$/.test(name) || /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(value);
            const kept = /^(status|verdict|state|role|kind|type|severity|of|by|mode|event_type|.*_id|action|result|name|digest)$/;
            const poison = (value, name) => {
              if (Array.isArray(value)) return value.map(item => poison(item, name));
              if (value && typeof value === 'object') {
                return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item, key)]));
              }
              if (typeof value !== 'string' || isOurs(name, value) || kept.test(name) && !all) return value;
              window.poisoned++;
              return text;
            };
            const parse = JSON.parse;
            window.poison = answer => JSON.stringify(poison(parse(answer), ''));
            """;

    private static final String PLANTED =
            """
            return [...document.querySelectorAll('.planted, iframe, object, embed, base, main img, main script, body style')].map(e => e.outerHTML)
              .concat([...document.querySelectorAll('*')].flatMap(e => [...e.attributes]
                .filter(a => a.name.startsWith('on') || ['href', 'src', 'action', 'xlink:href', 'formaction'].includes(a.name)
                  && !/^(#|page[/]|[.]well-known[/]|blob:|https?:)/.test(a.value))
                .map(a => e.tagName + ' ' + a.name + '=' + a.value)))
              .concat(window.ran ? ['it ran'] : []);
            """;

    private static PageSystem system;
    private static Browser browser;

    @BeforeAll
    static void open(PageSystem started) {
        system = started;
        browser = started.browser();
    }

    @Test
    void no_text_of_an_answer_becomes_an_element_or_a_link() {
        Attack attack = Attack.begin("markup");
        fill();
        system.enter(PageSystem.ADMINISTRATOR);
        browser.shows("Checked");
        List<String> planted = new ArrayList<>();
        Set<String> showing = new HashSet<>();
        long views = 0;
        long texts = 0;
        for (String text : TEXTS) {
            for (boolean all : Attack.isLong() ? new boolean[] {false, true} : new boolean[] {true}) {
                browser.script(POISON, text, all);
                for (String view : VIEWS) {
                    browser.open(view);
                    browser.tick(60);
                    views++;
                    for (Object found : (List<?>) browser.script(PLANTED)) {
                        planted.add(view + " with " + text.substring(0, Math.min(60, text.length())) + ": " + found);
                    }
                    if ((Boolean) browser.script(
                            "return document.querySelector('main').textContent.includes(arguments[0])", text)) {
                        showing.add(view);
                    }
                }
                texts += ((Number) browser.script("return window.poisoned")).longValue();
            }
        }
        browser.script("window.poison = undefined");
        assertThat(planted).isEmpty();
        assertThat(showing)
                .as("views that show a text of an answer; the configuration has none")
                .hasSize(VIEWS.size() - 1)
                .doesNotContain("#/configuration");
        attack.figure("views", views).figure("texts replaced", texts).end();
        assertThat(texts).isGreaterThan(VIEWS.size() * TEXTS.size() * 10L);
    }

    /** Has something to show in every view. */
    private static void fill() {
        system.register("hostile", "odd", "odd");
        put("/api/v1/workflows/odd", "{\"agents\":{\"odd\":{\"pool\":{\"min_instances\":2}}}}");
        put(
                "/v1/admin/silences/odd",
                """
                {"scope":{"agent_id":"odd"},"for_seconds":6000,"reason":"odd"}\
                """);
        put(
                "/v1/admin/identity-providers/odd",
                """
                        {"issuer":"https://sso.example.com","audiences":["odd"],"grants":[{"claim":"sub",\
                        "value":"odd","role":"viewer","role_ids":["odd"]}]}\
                        """);
        ObjectNode ofAgents = Json.object().put("role", "agent").put("name", "odd");
        String keyId = system.administrator()
                .post("/v1/admin/keys", ofAgents)
                .json()
                .path("key_id")
                .asText();
        put(
                "/v1/admin/sources/odd",
                "{\"url\":\"https://odd.invalid/\",\"kind\":\"ai_catalog\",\"key_id\":\"" + keyId + "\"}");
        ObjectNode reason = Json.object().put("reason", "odd");
        assertThat(system.administrator()
                        .post("/v1/admin/agents/hostile/block", reason)
                        .status())
                .isEqualTo(200);
    }

    private static void put(String path, String json) {
        try {
            var answer = system.administrator().put(path, (ObjectNode) Json.read(json));
            assertThat(answer.status()).as(answer.body()).isBetween(200, 201);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_text_that_a_view_writes_as_markup_is_seen() {
        browser.open("#/");
        browser.script(
                "document.querySelector('main, body').insertAdjacentHTML('beforeend', arguments[0])", TEXTS.get(0));
        assertThat((List<?>) browser.script(PLANTED)).isNotEmpty();
        browser.script(
                "document.querySelectorAll('.planted').forEach(e => e.remove()); document.body.insertAdjacentHTML('beforeend', '<a class=l href=javascript:1>x</a>')");
        assertThat((List<?>) browser.script(PLANTED)).isEqualTo(List.of("A href=javascript:1"));
        browser.script("document.querySelector('a.l').remove()");
        assertThat(browser.script("return window.ran === undefined"))
                .as("the policy of the page stops it besides")
                .isEqualTo(true);
    }
}
