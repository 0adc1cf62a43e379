package dev.agenthealth.model.registry.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

@Tag("R16-17")
class LeaseRulePropertyTest {

    /** The clocks of the hosts that grant are anywhere, forwards and backwards. */
    @Property
    void tokens_of_a_scope_rise_whatever_the_clocks_say(
            @ForAll @Size(min = 2, max = 50) List<@LongRange(min = 0, max = 10_000) Long> clocks) {
        long token = 0;
        for (long millis : clocks) {
            long next = LeaseRule.nextToken(token, Instant.ofEpochMilli(millis));
            assertThat(next).isGreaterThan(token).isGreaterThanOrEqualTo(millis);
            token = next;
        }
    }

    @Property
    void a_lease_is_not_taken_over_while_its_holder_may_rely_on_it(
            @ForAll @LongRange(min = -400_000, max = 400_000) long millis) {
        Instant now = Leases.EXPIRY.plusMillis(millis);
        Instant free = LeaseRule.availableFrom(Leases.active(), "another");
        assertThat(LeaseRule.isInForce(Leases.active(), now) && !now.isBefore(free))
                .isFalse();
    }
}
