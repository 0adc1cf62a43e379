package dev.agenthealth.functions.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * The number of tries of a slow property in an exhaustive run, in which other properties are tried 600 times. Each other run tries
 * proportionally fewer, by the setting {@code test.tries}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@AddLifecycleHook(Tries.Scale.class)
public @interface Tries {

    int value();

    /** Sets the number of tries of a run. */
    final class Scale implements AroundPropertyHook {

        private static final int EXHAUSTIVE = 600;
        private static final int DEFAULT = 25;

        @Override
        public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
            int exhaustive =
                    context.findAnnotation(Tries.class).map(Tries::value).orElseThrow();
            int setting = Integer.getInteger("jqwik.tries.default", DEFAULT);
            context.attributes().setTries((exhaustive * setting + EXHAUSTIVE - 1) / EXHAUSTIVE);
            return property.execute();
        }
    }
}
