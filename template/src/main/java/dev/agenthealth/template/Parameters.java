package dev.agenthealth.template;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The template's parameters with the values given for them, checked as CloudFormation checks them. */
final class Parameters {

    private final Section declared;
    private final Map<String, String> given;

    /** @throws TemplateException if a value is given for a parameter that the template does not declare */
    Parameters(Section declared, Map<String, String> given) {
        this.declared = declared;
        this.given = given;
        given.keySet().stream().filter(name -> !declares(name)).findFirst().ifPresent(name -> {
            throw new TemplateException("parameter " + name + " is not declared by the template");
        });
    }

    boolean declares(String name) {
        return declared.values().containsKey(name);
    }

    /**
     * Returns the given value, or else the default. Comma-separated lists stay one text.
     *
     * @throws TemplateException if the parameter has neither, or the value breaks the parameter's constraints
     */
    String value(String name) {
        Section parameter = declared.child(name);
        String value = given.get(name);
        if (value == null) {
            value = parameter
                    .optionalText("Default")
                    .orElseThrow(() ->
                            new TemplateException("parameter " + name + " has no default and no value was given"));
        }
        check(name, parameter, value);
        return value;
    }

    private static void check(String name, Section parameter, String value) {
        List<String> allowed = parameter.texts("AllowedValues");
        if (!allowed.isEmpty() && !allowed.contains(value)) {
            throw new TemplateException("parameter " + name + " must be one of " + allowed);
        }
        parameter
                .optionalText("AllowedPattern")
                .filter(pattern -> !Pattern.matches(pattern, value))
                .ifPresent(pattern -> {
                    throw new TemplateException("parameter " + name + " "
                            + parameter.optionalText("ConstraintDescription").orElse("must match " + pattern));
                });
        if (parameter.optionalText("Type").filter("Number"::equals).isPresent()) {
            checkNumber(name, parameter, value);
        }
    }

    private static void checkNumber(String name, Section parameter, String value) {
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new TemplateException("parameter " + name + " must be a number", e);
        }
        double minimum =
                parameter.optionalText("MinValue").map(Double::parseDouble).orElse(Double.NEGATIVE_INFINITY);
        double maximum =
                parameter.optionalText("MaxValue").map(Double::parseDouble).orElse(Double.POSITIVE_INFINITY);
        if (!(number >= minimum && number <= maximum)) {
            throw new TemplateException("parameter " + name + " must be from " + minimum + " to " + maximum);
        }
    }
}
