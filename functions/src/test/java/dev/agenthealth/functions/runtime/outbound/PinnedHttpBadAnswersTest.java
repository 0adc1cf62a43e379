package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are slow, endless, incomplete or not HTTP. */
@Tag("SN-07")
@Tag(Attack.TAG)
class PinnedHttpBadAnswersTest extends PinnedHttpCalls {

    @Test
    void no_answer_in_time() {
        ScriptedServer server = http();
        server.plays((request, out) -> server.hang());
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
                "HTTP/1.1 200 OK\r\n\r\n"
            })
    void a_slow_response_ends_at_the_call_s_timeout(String beginning) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(beginning.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 8_000; i++) {
                out.write('x');
                out.flush();
                await(20);
            }
        });
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints\r\nLink: <x>"})
    void endless_interim_responses_are_cut_off(String interim) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            while (true) {
                out.write(("HTTP/1.1 " + interim + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void ten_interim_responses_are_accepted_and_eleven_are_not() {
        String interim = "HTTP/1.1 103 Early Hints\r\n\r\n";
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        ScriptedServer server = http().plays(Script.bytes(interim.repeat(10) + answer));
        assertThat(text(post(server, LONG))).isEqualTo("{}");
        server.plays(Script.bytes(interim.repeat(11) + answer));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void slow_interim_responses_end_at_the_call_s_timeout() {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            for (int i = 0; i < 10; i++) {
                out.write("HTTP/1.1 103 Early Hints\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                await((int) SHORT.toMillis());
            }
        });
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Transfer-Encoding: chunked\r\n", "Content-Length: 9223372036854775807\r\n"})
    void an_endless_body_is_cut_off(String header) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\n" + header + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("2000\r\n" + "x".repeat(0x2000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(chunk);
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Le"})
    void an_incomplete_response_is_a_failure(String bytes) {
        ScriptedServer server = http().plays(Script.bytes(bytes));
        assertThat(failure(post(server, LONG))).isIn(InvocationFailure.CONNECTION_LOST, InvocationFailure.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.6\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
            })
    void what_is_not_http_is_malformed(String bytes) {
        ScriptedServer server = http().plays(Script.bytes(bytes));
        assertThat(failure(post(server, Duration.ofSeconds(2))))
                .isIn(InvocationFailure.MALFORMED, InvocationFailure.CONNECTION_LOST);
    }

    @Test
    void headers_without_end_are_malformed() {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; ; i++) {
                out.write(("X-" + i + ": y\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0;x=", "\r\n", "0\r\nX: y", "0\r\nX: y\r\nZ: "})
    void chunks_of_nonsense_without_end_are_cut_off(String beginning) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + beginning)
                    .getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write("y".repeat(8_192).getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isIn(InvocationFailure.MALFORMED, InvocationFailure.CONNECTION_LOST);
    }
}
