package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingClientsTest {

    private static final long IDLE = 100;
    private static final long NEW = 20;

    private final WaitingClients<Counted> waiting = new WaitingClients<>(IDLE, NEW);
    private long steps;

    /** A client that counts how often it is looked at. */
    private final class Counted implements WaitingClients.Client {

        private final boolean served;
        private final long begun;

        Counted(boolean served, long begun) {
            this.served = served;
            this.begun = begun;
        }

        @Override
        public boolean hadRequest() {
            steps++;
            return served;
        }

        @Override
        public long since() {
            steps++;
            return begun;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            steps++;
            return System.identityHashCode(this);
        }
    }

    private Counted added(boolean served, long since) {
        Counted client = new Counted(served, since);
        waiting.add(client);
        return client;
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 100_000})
    void takes_a_few_steps_for_any_number_of_clients(int clients) {
        List<Counted> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            all.add(added(i % 2 == 0, i));
        }
        steps = 0;

        Counted first = waiting.first(clients + IDLE).orElseThrow();
        waiting.remove(first);
        waiting.add(all.get(clients / 2));

        assertThat(first).isSameAs(all.get(0));
        assertThat(steps).isLessThan(20);
    }

    @Test
    void long_idle_clients_make_room_first() {
        Counted silent = added(false, 0);
        Counted idle = added(true, 10);
        added(true, 11);

        assertThat(waiting.first(10 + IDLE + 1)).containsSame(idle);
        waiting.remove(idle);
        assertThat(waiting.first(10 + IDLE + 1)).containsSame(silent);
    }

    @Test
    void clients_that_sent_no_request_make_room_before_briefly_idle_clients() {
        Counted idle = added(true, 10);
        Counted silent = added(false, 11);

        assertThat(waiting.first(11 + NEW + 1)).containsSame(silent);
        waiting.remove(silent);
        assertThat(waiting.first(11 + NEW + 1)).containsSame(idle);
    }

    @Test
    void new_clients_make_no_room() {
        added(false, 10);

        assertThat(waiting.first(10 + NEW)).isEmpty();
    }

    @Test
    void a_client_that_waits_again_is_the_last() {
        Counted first = added(true, 0);
        Counted second = added(true, 1);
        waiting.add(first);

        assertThat(waiting.first(2)).containsSame(second);
    }
}
