package org.bloomgate.base.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// On a component that is read when the program starts: another value of this key, and of every key below it,
/// waits for a restart.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface RequiresRestart {
    /// The part of the value that waits, if not all of it does, for example `in the greeting`.
    String value() default "";
}
