package dev.agenthealth.functions.storage.dynamo;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The result of a conditional update.
 *
 * @param applied whether the condition held and the item was written
 * @param item the item after the update, or the stored item if the condition failed; empty if there is none
 * @param retried whether the request was sent more than once: a failed condition may then be the effect of an earlier attempt whose
 *     response was lost
 */
public record UpdateResult(boolean applied, Map<String, AttributeValue> item, boolean retried) {}
