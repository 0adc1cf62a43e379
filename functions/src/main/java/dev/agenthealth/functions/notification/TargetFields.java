package dev.agenthealth.functions.notification;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.notification.NotificationTarget;
import dev.agenthealth.model.notification.NotificationTarget.Email;
import dev.agenthealth.model.notification.NotificationTarget.PagerDuty;
import dev.agenthealth.model.notification.NotificationTarget.Slack;
import dev.agenthealth.model.notification.NotificationTarget.Webhook;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reads the target of a rule. What is secret may be left out where the rule has it already, since no answer shows it. */
final class TargetFields {

    private static final List<String> TYPES = List.of("webhook", "slack", "pagerduty", "email");
    private static final String SECRET_PREFIX = "whsec_";
    private static final int MIN_SECRET_BYTES = 24;
    private static final int MAX_SECRET_BYTES = 64;
    private static final int GENERATED_SECRET_BYTES = 32;
    private static final int MAX_SECRETS = 3;
    private static final int MAX_TEXT = 2_048;
    private static final Pattern ROUTING_KEY = Pattern.compile("[A-Za-z0-9]{32}");
    private static final Pattern ADDRESS = Pattern.compile("[!-?A-~]{1,64}@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+");
    private static final URI NO_URL = URI.create("https://none.invalid/");

    private final EndpointRule endpoints;
    private final boolean mails;

    /**
     * @param loopbackAllowed whether receivers on this machine may be named
     * @param mails whether e-mail can be sent
     */
    TargetFields(boolean loopbackAllowed, boolean mails) {
        this.endpoints = new EndpointRule(loopbackAllowed);
        this.mails = mails;
    }

    /**
     * A target.
     *
     * @param target which is to be used only where no error was recorded
     * @param generatedSecret the secret that was made for a webhook that has none; empty otherwise
     */
    record Read(NotificationTarget target, String generatedSecret) {}

    /**
     * Reads the fields of a target and records an error for each that breaks a rule.
     *
     * @param before the target of the rule as it is; called only where something is left out
     */
    Read read(Fields body, Supplier<Optional<NotificationTarget>> before) {
        body.require("target");
        Fields fields = body.object("target");
        fields.require("type");
        Optional<String> type = fields.oneOf("type", TYPES.toArray(String[]::new), word -> word);
        Read read =
                switch (type.orElse("")) {
                    case "webhook" -> webhook(fields, before);
                    case "slack" -> new Read(slack(fields, before), "");
                    case "pagerduty" -> new Read(pagerDuty(fields, before), "");
                    case "email" -> new Read(email(fields), "");
                    default -> new Read(new Slack(NO_URL), "");
                };
        if (type.isPresent()) {
            fields.refuseUnknown();
        }
        return read;
    }

    private Read webhook(Fields fields, Supplier<Optional<NotificationTarget>> before) {
        Optional<Webhook> old =
                fields.has("url") && fields.has("secrets") ? Optional.empty() : kept(Webhook.class, before);
        URI url = url(fields, old.map(Webhook::url));
        List<String> secrets = fields.texts("secrets", MAX_SECRETS, MAX_TEXT);
        for (int i = 0; i < secrets.size(); i++) {
            if (!isSecret(secrets.get(i))) {
                fields.refuse(
                        "secrets[" + i + "]",
                        "must be " + SECRET_PREFIX + " and the base64 of " + MIN_SECRET_BYTES + " to "
                                + MAX_SECRET_BYTES + " bytes");
            }
        }
        if (secrets.isEmpty() && old.isPresent()) {
            secrets = old.get().secrets();
        }
        if (!secrets.isEmpty()) {
            return new Read(new Webhook(url, secrets), "");
        }
        byte[] random = new byte[GENERATED_SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        String generated = SECRET_PREFIX + Base64.getEncoder().encodeToString(random);
        return new Read(new Webhook(url, List.of(generated)), generated);
    }

    private Slack slack(Fields fields, Supplier<Optional<NotificationTarget>> before) {
        Optional<Slack> old = fields.has("url") ? Optional.empty() : kept(Slack.class, before);
        return new Slack(url(fields, old.map(Slack::url)));
    }

    private PagerDuty pagerDuty(Fields fields, Supplier<Optional<NotificationTarget>> before) {
        Optional<PagerDuty> old =
                fields.has("url") && fields.has("routing_key") ? Optional.empty() : kept(PagerDuty.class, before);
        if (old.isEmpty()) {
            fields.require("routing_key");
        }
        String key = fields.text("routing_key", MAX_TEXT);
        if (!key.isEmpty() && !ROUTING_KEY.matcher(key).matches()) {
            fields.refuse("routing_key", "must be the 32 letters and digits of an integration key");
        }
        URI url = url(fields, Optional.of(old.map(PagerDuty::url).orElse(PagerDuty.DEFAULT_URL)));
        return new PagerDuty(key.isEmpty() ? old.map(PagerDuty::routingKey).orElse("") : key, url);
    }

    private Email email(Fields fields) {
        fields.require("address");
        String address = fields.text("address", MAX_TEXT);
        if (!address.isEmpty() && !ADDRESS.matcher(address).matches()) {
            fields.refuse("address", "must be an e-mail address");
        }
        if (!mails) {
            fields.refuse("type", "cannot be email in a local run: e-mail is sent by Amazon SNS");
        }
        return new Email(address);
    }

    private URI url(Fields fields, Optional<URI> otherwise) {
        if (otherwise.isEmpty()) {
            fields.require("url");
        }
        String text = fields.text("url", MAX_TEXT);
        if (text.isEmpty()) {
            return otherwise.orElse(NO_URL);
        }
        Optional<Endpoint> endpoint = Endpoint.of(text);
        if (endpoint.isEmpty()) {
            fields.refuse("url", "must be a URL without credentials and fragment, such as https://example.com/hook");
            return NO_URL;
        }
        switch (endpoints.judge(endpoint.get())) {
            case INSECURE -> fields.refuse("url", "must begin with https://");
            case FORBIDDEN -> fields.refuse("url", "must lead to a public address");
            case ALLOWED -> {
                return URI.create(text);
            }
        }
        return NO_URL;
    }

    private static <T extends NotificationTarget> Optional<T> kept(
            Class<T> type, Supplier<Optional<NotificationTarget>> before) {
        return before.get().filter(type::isInstance).map(type::cast);
    }

    private static boolean isSecret(String text) {
        try {
            int bytes = Base64.getDecoder().decode(text.replaceFirst("^" + SECRET_PREFIX, "")).length;
            return text.startsWith(SECRET_PREFIX) && bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
