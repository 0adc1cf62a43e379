package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** UpdateItem. */
abstract class UpdateContract extends Contract {

    UpdateContract(Backend backend) {
        super(backend);
    }

    @Test
    void update_without_expression_creates_the_item() {
        update(r -> {});

        assertThat(get()).isEqualTo(key());
    }

    @Test
    void update_without_expression_leaves_an_item_as_it_is() {
        Map<String, AttributeValue> item = put("v", n(1));

        update(r -> {});

        assertThat(get()).isEqualTo(item);
    }

    @Test
    void set_creates_a_missing_item() {
        update("SET v = :v", ":v", n(1));

        assertThat(get()).isEqualTo(with(key(), "v", n(1)));
    }

    @Test
    void set_replaces_a_value_also_by_one_of_another_type() {
        put("v", n(1), "w", n(2));

        update("SET v = :v", ":v", s("x"));

        assertThat(get()).isEqualTo(with(key(), "v", s("x"), "w", n(2)));
    }

    @Test
    void set_with_if_not_exists_keeps_a_value() {
        put("v", n(1));

        update("SET v = if_not_exists(v, :v), w = if_not_exists(w, :v)", ":v", n(2));

        assertThat(get()).isEqualTo(with(key(), "v", n(1), "w", n(2)));
    }

    @Test
    void if_not_exists_refuses_an_absent_attribute_also_where_it_is_not_needed() {
        put("v", n(1));

        assertInvalid(() -> update("SET v = if_not_exists(v, absent)"));
    }

    @Test
    void if_not_exists_sees_the_item_before_the_update() {
        put("v", n(1));

        update("SET v = :new, w = if_not_exists(v, :new)", ":new", n(2));

        assertThat(get()).isEqualTo(with(key(), "v", n(2), "w", n(1)));
    }

    @Test
    void if_not_exists_sees_an_attribute_that_the_update_removes() {
        put("v", n(1));

        update("SET w = if_not_exists(v, :new) REMOVE v", ":new", n(2));

        assertThat(get()).isEqualTo(with(key(), "w", n(1)));
    }

    @Test
    void remove_removes_attributes() {
        put("v", n(1), "w", n(2), "x", n(3));

        update("REMOVE v, x, absent");

        assertThat(get()).isEqualTo(with(key(), "w", n(2)));
    }

    @Test
    void add_starts_at_zero() {
        update("ADD v :v", ":v", n(5));

        assertThat(get()).isEqualTo(with(key(), "v", n(5)));
    }

    @Test
    void add_adds_numbers_without_rounding() {
        put("v", n("0.1"), "w", n("99999999999999999999999999999999999998"), "x", n(1));

        update("ADD v :v, w :w, x :x", ":v", n("0.2"), ":w", n(1), ":x", n(-3));

        assertThat(get())
                .isEqualTo(with(key(), "v", n("0.3"), "w", n("99999999999999999999999999999999999999"), "x", n(-2)));
    }

    @Test
    void add_unites_sets() {
        put("v", bs("a", "b"));

        update("ADD v :v, w :v", ":v", bs("b", "c"));

        assertSame(get(), with(key(), "v", bs("a", "b", "c"), "w", bs("b", "c")));
    }

    @Test
    void add_to_a_value_of_another_type_is_refused() {
        put("v", s("x"));

        assertInvalid(() -> update("ADD v :v", ":v", n(1)));
        assertInvalid(() -> update("ADD v :v", ":v", bs("a")));
    }

    @Test
    void add_of_a_text_is_refused() {
        assertInvalid(() -> update("ADD v :v", ":v", s("x")));
    }

    @Test
    void clauses_are_combined_in_any_order() {
        put("v", n(1), "w", n(1), "x", n(1));

        update("ADD v :v REMOVE w SET x = :v, y = :v", ":v", n(2));

        assertThat(get()).isEqualTo(with(key(), "v", n(3), "x", n(2), "y", n(2)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "SET pk = :v",
                "SET sk = :v",
                "ADD sk :v",
                "SET v = :v, v = :v",
                "SET v = :v ADD v :v",
                "SET v = :v REMOVE w SET x = :v",
                "SET v = :v,",
                "SET v",
                "v = :v",
                "SET v = if_not_exists(:v)",
                "REMOVE v v = :v",
                "SET v == :v",
                "ADD v = :v",
            })
    void an_update_that_is_not_valid_is_refused(String expression) {
        Map<String, AttributeValue> item = put("v", n(1));

        assertInvalid(() -> update(expression, ":v", n(1)));
        assertThat(get()).isEqualTo(item);
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(strings = {"REMOVE pk", "REMOVE sk", "REMOVE v, v", ""})
    void an_update_without_values_that_is_not_valid_is_refused(String expression) {
        put("v", n(1));

        assertInvalid(() -> update(expression));
    }

    @Test
    void update_returns_the_item_afterwards_when_asked() {
        put("v", n(1), "w", n(2));

        assertThat(update(r -> r.updateExpression("REMOVE v").returnValues(ReturnValue.ALL_NEW)))
                .isEqualTo(with(key(), "w", n(2)));
    }

    @Test
    void update_returns_the_item_before_when_asked() {
        Map<String, AttributeValue> old = put("v", n(1), "w", n(2));

        assertThat(update(r -> r.updateExpression("REMOVE v").returnValues(ReturnValue.ALL_OLD)))
                .isEqualTo(old);
    }

    @Test
    void update_of_a_missing_item_returns_no_item_before() {
        assertThat(client.updateItem(r -> r.tableName(registry).key(key()).returnValues(ReturnValue.ALL_OLD))
                        .hasAttributes())
                .isFalse();
    }

    @Test
    void update_of_a_missing_item_returns_the_new_item() {
        assertThat(update(r -> r.updateExpression("SET v = :v")
                        .expressionAttributeValues(item(":v", n(1)))
                        .returnValues(ReturnValue.ALL_NEW)))
                .isEqualTo(with(key(), "v", n(1)));
    }

    @Test
    void update_returns_no_attributes_unless_asked() {
        assertThat(client.updateItem(r -> r.tableName(registry).key(key())).hasAttributes())
                .isFalse();
    }

    @Test
    void update_with_a_failing_condition_changes_nothing_and_returns_the_item_when_asked() {
        Map<String, AttributeValue> old = put("v", n(1));

        try {
            update(r -> r.updateExpression("SET w = :v")
                    .conditionExpression("v > :v")
                    .expressionAttributeValues(item(":v", n(1)))
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            throw new AssertionError("the condition holds");
        } catch (ConditionalCheckFailedException e) {
            assertThat(e.item()).isEqualTo(old);
        }
        assertThat(get()).isEqualTo(old);
    }

    @Test
    void update_with_a_failing_condition_does_not_create_the_item() {
        assertConditionFails(() -> update(r -> r.updateExpression("SET w = :v")
                .conditionExpression("attribute_exists(pk)")
                .expressionAttributeValues(item(":v", n(1)))));
        assertThat(get()).isEmpty();
    }

    @Test
    void a_condition_of_an_update_sees_the_item_before() {
        put("v", n(1));

        update(r -> r.updateExpression("SET v = :new")
                .conditionExpression("v = :old")
                .expressionAttributeValues(item(":old", n(1), ":new", n(2))));

        assertThat(get().get("v")).isEqualTo(n(2));
    }

    @Test
    void a_sum_of_more_than_38_digits_is_refused() {
        put("v", n("99999999999999999999999999999999999999"));

        assertInvalid(() -> update("ADD v :v", ":v", n("0.1")));
    }

    @Test
    void a_placeholder_is_shared_by_the_update_and_its_condition() {
        put("status", s("UP"));

        update(r -> r.updateExpression("SET #s = :s")
                .conditionExpression("attribute_exists(#s) AND #s < :s")
                .expressionAttributeNames(names("#s", "status"))
                .expressionAttributeValues(item(":s", s("down"))));

        assertThat(get().get("status")).isEqualTo(s("down"));
    }
}
