/**
 * The entry points of the Lambda functions. A function composes the routes of the feature packages; nothing else belongs here. Handlers take the types of
 * {@code aws-lambda-java-events}, maps or streams, since the JSON library of Lambda's runtime reads no records.
 */
package dev.agenthealth.functions;
