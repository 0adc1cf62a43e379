package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;
import static dev.agenthealth.dynamodb.value.DynamoDbErrors.unsupported;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.sqlite.Rows;
import dev.agenthealth.dynamodb.table.ItemBytes;
import dev.agenthealth.dynamodb.table.Keys;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Values;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.util.DefaultSdkAutoConstructMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Runs the operations on a single item. Thread-safe. */
final class SingleItems {

    private final Engine engine;

    SingleItems(Engine engine) {
        this.engine = engine;
    }

    GetItemResponse get(GetItemRequest request) {
        if (request.hasAttributesToGet()) {
            throw unsupported("AttributesToGet");
        }
        Table table = engine.catalogue().table(request.tableName());
        Arguments arguments =
                Arguments.of(request.expressionAttributeNames(), DefaultSdkAutoConstructMap.getInstance());
        Set<String> projection = request.projectionExpression() == null
                ? Set.of()
                : Expressions.projection(request.projectionExpression(), arguments);
        arguments.checkAllUsed();
        Map<String, AttributeValue> key = Values.normalized(request.key());
        KeyCheck.checkKey(table.keys(), key);
        byte[] stored = engine.read(session -> Rows.find(session, table, Keys.of(table.keys(), key)));
        GetItemResponse.Builder response = GetItemResponse.builder();
        if (stored.length > 0) {
            Map<String, AttributeValue> item = ItemBytes.read(stored);
            if (!projection.isEmpty()) {
                item.keySet().retainAll(projection);
            }
            response.item(item);
        }
        if (Capacities.isWanted(request.returnConsumedCapacity())) {
            Capacities.Units units = new Capacities.Units(table);
            units.add(Capacities.read(
                    stored.length == 0 ? 0 : ItemBytes.size(stored), Boolean.TRUE.equals(request.consistentRead())));
            response.consumedCapacity(units.consumed(request.returnConsumedCapacity()));
        }
        return response.build();
    }

    PutItemResponse put(PutItemRequest request) {
        if (request.hasExpected()) {
            throw unsupported("Expected");
        }
        returnable(request.returnValues(), ReturnValue.ALL_OLD);
        Table table = engine.catalogue().table(request.tableName());
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        Condition condition = ItemWrite.condition(request.conditionExpression(), arguments);
        arguments.checkAllUsed();
        ItemWrite write = ItemWrite.put(table, request.item(), condition);
        Written written = write(write, request.returnConsumedCapacity(), request.returnValuesOnConditionCheckFailure());
        PutItemResponse.Builder response = PutItemResponse.builder().consumedCapacity(written.consumed());
        if (request.returnValues() == ReturnValue.ALL_OLD && !written.before().isEmpty()) {
            response.attributes(written.before());
        }
        return response.build();
    }

    UpdateItemResponse update(UpdateItemRequest request) {
        if (request.hasExpected() || request.hasAttributeUpdates()) {
            throw unsupported("Expected and AttributeUpdates");
        }
        returnable(request.returnValues(), ReturnValue.ALL_OLD, ReturnValue.ALL_NEW);
        Table table = engine.catalogue().table(request.tableName());
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        Condition condition = ItemWrite.condition(request.conditionExpression(), arguments);
        ItemWrite write = ItemWrite.update(
                table, request.key(), ItemWrite.updateExpression(request.updateExpression()), arguments, condition);
        arguments.checkAllUsed();
        Written written = write(write, request.returnConsumedCapacity(), request.returnValuesOnConditionCheckFailure());
        UpdateItemResponse.Builder response = UpdateItemResponse.builder().consumedCapacity(written.consumed());
        if (request.returnValues() == ReturnValue.ALL_NEW) {
            response.attributes(written.now());
        } else if (request.returnValues() == ReturnValue.ALL_OLD
                && !written.before().isEmpty()) {
            response.attributes(written.before());
        }
        return response.build();
    }

    DeleteItemResponse delete(DeleteItemRequest request) {
        if (request.hasExpected()) {
            throw unsupported("Expected");
        }
        returnable(request.returnValues(), ReturnValue.ALL_OLD);
        Table table = engine.catalogue().table(request.tableName());
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        Condition condition = ItemWrite.condition(request.conditionExpression(), arguments);
        arguments.checkAllUsed();
        ItemWrite write = ItemWrite.delete(table, request.key(), condition);
        Written written = write(write, request.returnConsumedCapacity(), request.returnValuesOnConditionCheckFailure());
        DeleteItemResponse.Builder response = DeleteItemResponse.builder().consumedCapacity(written.consumed());
        if (request.returnValues() == ReturnValue.ALL_OLD && !written.before().isEmpty()) {
            response.attributes(written.before());
        }
        return response.build();
    }

    private static void returnable(ReturnValue wanted, ReturnValue... supported) {
        if (wanted == null || wanted == ReturnValue.NONE) {
            return;
        }
        for (ReturnValue value : supported) {
            if (wanted == value) {
                return;
            }
        }
        if (supported.length == 1) {
            throw invalid("Return values set to invalid value");
        }
        throw unsupported("ReturnValues " + wanted);
    }

    /** @param consumed null if the request does not want it */
    private record Written(
            Map<String, AttributeValue> before, Map<String, AttributeValue> now, ConsumedCapacity consumed) {}

    private Written write(
            ItemWrite write, ReturnConsumedCapacity wanted, ReturnValuesOnConditionCheckFailure onFailure) {
        ItemWrite.Outcome outcome = engine.write(
                (session, effect) -> {
                    ItemWrite.Outcome decided = write.evaluate(session, engine.catalogue());
                    if (decided.holds() && write.apply(session, decided, engine.origin())) {
                        effect.wrote();
                    }
                    return decided;
                },
                mustSync(write));
        if (!outcome.holds()) {
            throw failed(outcome.before(), onFailure);
        }
        ConsumedCapacity consumed = null;
        if (Capacities.isWanted(wanted)) {
            Capacities.Units units = new Capacities.Units(write.table());
            units.addWrite(outcome.before(), outcome.now(), 1);
            consumed = units.consumed(wanted);
        }
        return new Written(outcome.before(), outcome.now(), consumed);
    }

    private boolean mustSync(ItemWrite write) {
        return write.table().hasStream()
                || write.attributes().isEmpty()
                || !engine.unsyncedAttributes().containsAll(write.attributes());
    }

    private static ConditionalCheckFailedException failed(
            Map<String, AttributeValue> item, ReturnValuesOnConditionCheckFailure onFailure) {
        ConditionalCheckFailedException.Builder failure = DynamoDbErrors.as(
                "ConditionalCheckFailedException",
                "The conditional request failed",
                ConditionalCheckFailedException.builder());
        if (onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD && !item.isEmpty()) {
            failure.item(item);
        }
        return failure.build();
    }
}
