package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CountedStepsTest {

    /** A list of numbers. */
    public static final class Numbers implements IntFunction<Map<String, Runnable>>, AutoCloseable {

        private final List<Integer> numbers = new ArrayList<>();
        private int sum;

        @Override
        public Map<String, Runnable> apply(int things) {
            IntStream.range(0, things).forEach(numbers::add);
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("take one", () -> sum = numbers.get(0));
            operations.put("walk in a loop", this::walk);
            operations.put(
                    "walk in a stream",
                    () -> sum = numbers.stream().mapToInt(number -> 2 * number).sum());
            operations.put("walk in another thread", this::walkInAnotherThread);
            return operations;
        }

        private void walk() {
            for (int number : numbers) {
                sum += number;
            }
        }

        private void walkInAnotherThread() {
            Thread walking = new Thread(this::walk);
            walking.start();
            try {
                walking.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            numbers.clear();
        }
    }

    @Test
    void only_operations_that_walk_through_all_things_take_more_steps_beside_more_things() {
        Map<String, Long> few = CountedSteps.of(Numbers.class, 10);
        Map<String, Long> many = CountedSteps.of(Numbers.class, 1_000);
        assertThat(many.get("take one")).isEqualTo(few.get("take one"));
        many.remove("take one");
        assertThat(many).hasSize(3).allSatisfy((operation, steps) -> assertThat(steps - few.get(operation))
                .as(operation)
                .isEqualTo(990));
    }
}
