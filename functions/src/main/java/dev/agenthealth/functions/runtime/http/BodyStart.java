package dev.agenthealth.functions.runtime.http;

/**
 * The first bytes of a request's body.
 *
 * @param bytes the decoded bytes
 * @param isWhole whether the bytes are the whole body
 * @param fault why the rest cannot be decoded, such as "is not valid gzip"; empty if it can
 */
public record BodyStart(byte[] bytes, boolean isWhole, String fault) {}
