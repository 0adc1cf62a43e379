package dev.agenthealth.emulator.support;

/** The AWS account and Region of every emulated resource. */
public final class EmulatedAccount {

    public static final String REGION = "us-east-1";
    public static final String ID = "000000000000";

    private EmulatedAccount() {}
}
