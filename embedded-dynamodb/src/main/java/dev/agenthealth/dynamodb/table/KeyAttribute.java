package dev.agenthealth.dynamodb.table;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** An attribute of a key: a text or bytes. */
public record KeyAttribute(String name, ScalarAttributeType type) {

    /** Returns true if the value has the attribute's type. */
    public boolean isOf(AttributeValue value) {
        return type == ScalarAttributeType.S ? value.s() != null : value.b() != null;
    }
}
