package dev.agenthealth.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method of an {@link Agent} that stops the agent's work under leases. It takes no parameter or a {@link Death}, and may have any
 * visibility. {@link AgentBuilder#onDead} describes its call.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnDead {}
