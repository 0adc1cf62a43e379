package dev.agenthealth.dynamodb.table;

import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** An attribute of a key: a text or bytes. */
public record KeyAttribute(String name, ScalarAttributeType type) {}
