package dev.agenthealth.emulator.lambda;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.RequestIds;
import dev.agenthealth.template.FunctionDefinition;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** The context of one invocation. */
final class Invocation implements Context {

    private final FunctionDefinition function;
    private final Clock clock;
    private final PrintStream out;
    private final String requestId = RequestIds.next();
    private final long deadlineMillis;

    Invocation(FunctionDefinition function, Clock clock, PrintStream out) {
        this.function = function;
        this.clock = clock;
        this.out = out;
        this.deadlineMillis = clock.millis() + function.timeout().toMillis();
    }

    @Override
    public String getAwsRequestId() {
        return requestId;
    }

    @Override
    public String getLogGroupName() {
        return "/aws/lambda/" + function.name();
    }

    @Override
    public String getLogStreamName() {
        return "local";
    }

    @Override
    public String getFunctionName() {
        return function.name();
    }

    @Override
    public String getFunctionVersion() {
        return "$LATEST";
    }

    @Override
    public String getInvokedFunctionArn() {
        return "arn:aws:lambda:" + EmulatedAccount.REGION + ":" + EmulatedAccount.ID + ":function:" + function.name();
    }

    /** Returns null: only mobile applications have an identity. */
    @Override
    public CognitoIdentity getIdentity() {
        return null;
    }

    /** Returns null: only mobile applications have a client context. */
    @Override
    public ClientContext getClientContext() {
        return null;
    }

    @Override
    public int getRemainingTimeInMillis() {
        return (int) Math.max(0, deadlineMillis - clock.millis());
    }

    @Override
    public int getMemoryLimitInMB() {
        return function.memoryMegabytes();
    }

    @Override
    public LambdaLogger getLogger() {
        return new LambdaLogger() {
            @Override
            public void log(String message) {
                out.println(message);
            }

            @Override
            public void log(byte[] message) {
                out.println(new String(message, StandardCharsets.UTF_8));
            }
        };
    }
}
