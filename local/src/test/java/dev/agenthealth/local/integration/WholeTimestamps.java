package dev.agenthealth.local.integration;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Cuts off what moto says of log events beyond milliseconds, which the client does not take. */
final class WholeTimestamps implements ExecutionInterceptor {

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        return context.responseBody().map(WholeTimestamps::whole);
    }

    private static InputStream whole(InputStream body) {
        try (body) {
            String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
            String whole = text.replaceAll("(\"(?:timestamp|ingestionTime)\": ?\\d+)\\.\\d+", "$1");
            return new ByteArrayInputStream(whole.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
