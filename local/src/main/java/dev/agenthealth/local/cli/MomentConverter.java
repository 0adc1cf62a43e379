package dev.agenthealth.local.cli;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a moment with its time zone, such as {@code 2027-02-08T10:00:00Z}. */
final class MomentConverter implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + text + "' is not a moment such as 2027-02-08T10:00:00Z");
        }
    }
}
