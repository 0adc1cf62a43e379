/**
 * The entry classes of the Lambda functions, and eight neighbourhoods of packages below them.
 *
 * <p>A neighbourhood uses only the neighbourhoods before it: {@code runtime}, {@code storage}, {@code api}, {@code registry}, {@code health},
 * {@code gateway}, {@code operations}, {@code sweep}. {@code ArchitectureTest} checks this order. An entry class composes routes or passes
 * and contains nothing else. Handlers take the types of {@code aws-lambda-java-events}, maps or streams, because the JSON library of
 * Lambda's runtime reads no records.
 *
 * <p>Read {@link dev.agenthealth.functions.HeartbeatFunction} first.
 */
package dev.agenthealth.functions;
