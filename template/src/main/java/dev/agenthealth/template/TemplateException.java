package dev.agenthealth.template;

/** Thrown if a template cannot be read, resolved or run. The message names the place in the template. */
public final class TemplateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TemplateException(String message) {
        super(message);
    }

    public TemplateException(String message, Throwable cause) {
        super(message, cause);
    }
}
